// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

constexpr char preload[] = "LD_PRELOAD=";
constexpr char handoff[] = "METAL_UNLOCK_HANDOFF=";

/// The environment that a shell got from exec, and the one it hands to its children.
const Words at_start = shell("cat /proc/$$/environ");
const Words inside{"env", "-0"};

Words entries(const Sandbox& sandbox, const Words& argv) {
  const Outcome outcome = sandbox.execute(argv);
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  return zero_terminated(outcome.out);
}

Words without_ours(Words all) {
  std::erase_if(
      all, [](const std::string& entry) { return entry.starts_with(preload) || entry.starts_with(handoff); });
  return all;
}

std::string entry_of(const Words& all, const std::string& start) {
  const auto is_wanted = [&](const std::string& entry) { return entry.starts_with(start); };
  CHECK(std::ranges::count_if(all, is_wanted) <= 1);
  const auto found = std::ranges::find_if(all, is_wanted);
  return found == all.end() ? "" : found->substr(start.size());
}

}  // namespace

TEST_CASE("exec hands the target two variables more, and everything else in its order") {
  const Sandbox sandbox;
  const Words stock = entries(sandbox, at_start);
  const Words unlocked = entries(sandbox, run_words(at_start));
  REQUIRE(entry_of(stock, preload).empty());
  CHECK(without_ours(unlocked) == stock);
  CHECK(unlocked.size() == stock.size() + 2);
  CHECK(entry_of(unlocked, preload) == sandbox.placed_shim().string());
  CHECK(entry_of(unlocked, handoff).starts_with("v1;class=AppleParavirtDevice;"));
}

TEST_CASE("inside the target nothing of ours is left") {
  const Sandbox sandbox;
  CHECK(entries(sandbox, run_words(inside)) == entries(sandbox, inside));
}

TEST_CASE("with --children both variables stay") {
  const Sandbox sandbox;
  const Words kept = entries(sandbox, run_words(inside, {"--children"}));
  CHECK(without_ours(kept) == entries(sandbox, inside));
  CHECK(entry_of(kept, preload) == sandbox.placed_shim().string());
  CHECK(entry_of(kept, handoff).find(";children;") != std::string::npos);
}

TEST_CASE("libraries that are preloaded already are kept in order behind ours") {
  Sandbox sandbox;
  sandbox.set("LD_PRELOAD", "libm.so.6 libdl.so.2:libpthread.so.0");
  const Words unlocked = entries(sandbox, run_words(at_start));
  CHECK(entry_of(unlocked, preload) ==
        sandbox.placed_shim().string() + ":libm.so.6:libdl.so.2:libpthread.so.0");
  CHECK(entry_of(entries(sandbox, run_words(inside)), preload) == "libm.so.6:libdl.so.2:libpthread.so.0");
}

TEST_CASE("ours is listed once, however often it was listed before") {
  Sandbox sandbox;
  sandbox.run_caps();
  const std::string shim = sandbox.placed_shim();
  sandbox.set("LD_PRELOAD", "libm.so.6:" + shim + ":" + shim);
  CHECK(entry_of(entries(sandbox, run_words(at_start)), preload) == shim + ":libm.so.6");
  CHECK(entry_of(entries(sandbox, run_words(inside)), preload) == "libm.so.6");
}

TEST_CASE("only the target is unlocked, with --children its children too") {
  const Sandbox sandbox;
  const json stock = sandbox.stock_answers();
  const json unlocked = json::parse(sandbox.run_caps().out);
  REQUIRE(stock != unlocked);
  for (const char* script : {"\"$@\"; true", "exec \"$@\"", "sh -c '\"$@\"; true' sh \"$@\"; true"}) {
    CAPTURE(script);
    const Words target = shell(script, {metal_caps_program(), "--json"});
    CHECK(json::parse(sandbox.execute(run_words(target)).out) == stock);
    CHECK(json::parse(sandbox.execute(run_words(target, {"--children"})).out) == unlocked);
  }
}

TEST_CASE("a run inside a run decides for itself") {
  const Sandbox sandbox;
  const Words caps{metal_caps_program(), "--json"};
  const auto highest = [&](const Words& argv) {
    const Outcome outcome = sandbox.execute(argv);
    CHECK(outcome.err.empty());
    return apple_families(json::parse(outcome.out)).back();
  };
  CHECK(highest(run_words(run_words(caps, {"--profile", "apple6"}))) == 1006);
  CHECK(highest(run_words(run_words(caps), {"--profile", "apple6"})) == 1007);
  CHECK(highest(run_words(run_words(caps, {"--profile", "apple6"}), {"--children"})) == 1006);
  CHECK(highest(run_words(shell("\"$@\"; true", run_words(caps)), {"--children", "--profile", "apple6"})) ==
        1007);
}

TEST_CASE("METAL_UNLOCK=off inside a run --children takes the unlock away again") {
  const Sandbox sandbox;
  const Words off = shell("METAL_UNLOCK=off \"$@\"; true", run_words({metal_caps_program(), "--json"}));
  CHECK(json::parse(sandbox.execute(run_words(off, {"--children"})).out) == sandbox.stock_answers());
  const Words seen =
      entries(sandbox, run_words(shell("METAL_UNLOCK=off \"$@\"", run_words(inside)), {"--children"}));
  CHECK(entry_of(seen, preload).empty());
  CHECK(entry_of(seen, handoff).empty());
}

TEST_CASE("a handoff that somebody left in the environment is never passed on") {
  Sandbox sandbox("bare-metal-m1-ultra");
  sandbox.set("METAL_UNLOCK_HANDOFF", "v1;class=AGXG13XDevice;apple-family=1010;end");
  CHECK(entry_of(entries(sandbox, run_words(at_start)), handoff).empty());
  sandbox.choose_guest("tahoe-26-m1-ultra");
  CHECK(entry_of(entries(sandbox, run_words(at_start)), handoff).find("1010") == std::string::npos);
}

TEST_CASE("an environment with next to nothing in it is enough") {
  const Sandbox sandbox;
  const Words start{"env", "-i", "HOME=" + sandbox.home().string(),
                    "METAL_UNLOCK_GUEST=" + guest_file("tahoe-26-m4-max").string()};
  Words run = start;
  for (const std::string& word : run_words({metal_caps_program(), "--json"})) run.push_back(word);
  CHECK(apple_families(json::parse(sandbox.execute(run).out)).back() == 1009);
  Words found = start;
  for (const std::string& word : run_words({"env"})) found.push_back(word);
  CHECK(sandbox.execute(found).out == start[2] + "\n" + start[3] + "\n");
}
