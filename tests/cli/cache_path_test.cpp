// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <pwd.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

std::string preload_of(const Outcome& outcome) {
  return json::parse(outcome.out).at("set").at("LD_PRELOAD").get<std::string>();
}

int highest(const Outcome& outcome) { return apple_families(json::parse(outcome.out)).back(); }

}  // namespace

TEST_CASE("two hundred starts at once with an empty cache are all unlocked, and leave one whole file") {
  const Sandbox sandbox;
  // Each child waits until every other has closed the gate, which happens when all are there.
  const std::string script =
      "mkfifo gate; exec 3<>gate 4<gate; i=0\n"
      "while test $i -lt 200; do\n"
      "  (exec 3>&-; read _ <&4; exec 4<&-; \"$@\" >out.$i 2>err.$i; echo $? >status.$i) & i=$((i+1))\n"
      "done; exec 3>&-; wait";
  REQUIRE(sandbox.execute(shell(script, run_words({metal_caps_program(), "--json"}))).exit_status == 0);
  const std::filesystem::path shim = sandbox.placed_shim();
  CHECK(shim.filename() == "libmetal-unlock.so");
  CHECK((read_file(shim) == read_file(build_directory() / "libmetal-unlock.so")));
  const std::string unlocked = sandbox.run_caps().out;
  REQUIRE(apple_families(json::parse(unlocked)).back() == 1007);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const std::string number = std::to_string(i);
    CHECK(read_file(sandbox.work() / ("status." + number)) == "0\n");
    CHECK(read_file(sandbox.work() / ("out." + number)) == unlocked);
    CHECK(read_file(sandbox.work() / ("err." + number)).empty());
  }
}

TEST_CASE("without XDG_CACHE_HOME the cache is below the home folder") {
  Sandbox sandbox;
  for (const char* ignored : {"", "relative/cache"}) {
    sandbox.set("XDG_CACHE_HOME", ignored);
    CHECK(preload_of(sandbox.metal_unlock({"env", "--json"}))
              .starts_with(sandbox.home().string() + "/.cache/"));
  }
  CHECK(std::filesystem::exists(sandbox.home() / ".cache/metal-unlock"));
  CHECK(highest(sandbox.run_caps()) == 1007);
}

TEST_CASE("without HOME the home folder is the one of the user database") {
  Sandbox sandbox;
  const passwd* user = getpwuid(getuid());
  REQUIRE(user != nullptr);
  sandbox.set("XDG_CACHE_HOME", std::nullopt);
  sandbox.set("XDG_CONFIG_HOME", std::nullopt);
  for (const std::optional<std::string>& home :
       {std::optional<std::string>{}, std::optional<std::string>{""}}) {
    sandbox.set("HOME", home);
    // A dry run, so that the test leaves the real home folder alone.
    const Outcome outcome = sandbox.metal_unlock({"run", "--dry-run", "--", "true"});
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.out.find("LD_PRELOAD=" + std::string{user->pw_dir} + "/.cache/metal-unlock/") !=
          std::string::npos);
  }
}

TEST_CASE("without any home folder the target runs stock, with a finding") {
  Sandbox sandbox;
  sandbox.set("XDG_CACHE_HOME", std::nullopt);
  sandbox.set("XDG_CONFIG_HOME", std::nullopt);
  sandbox.set("HOME", "relative");
  const Outcome preferred = sandbox.run_caps();
  CHECK(json::parse(preferred.out) == sandbox.stock_answers());
  CHECK(finding_ids(preferred.err) == Words{"shim-unplaced"});
  CHECK(preferred.err.find("no home folder") != std::string::npos);
  CHECK(sandbox.run_caps({"--require"}).exit_status == 125);
  CHECK(std::filesystem::is_empty(sandbox.work()));
  sandbox.set("XDG_CACHE_HOME", sandbox.cache().string());
  CHECK(highest(sandbox.run_caps()) == 1007);
}

TEST_CASE("a cache that is a link to another folder is used, since only what is ours must be private") {
  const Sandbox sandbox;
  std::filesystem::create_directory(sandbox.home() / "elsewhere");
  std::filesystem::create_directory_symlink(sandbox.home() / "elsewhere", sandbox.cache());
  CHECK(highest(sandbox.run_caps()) == 1007);
  CHECK(std::filesystem::exists(sandbox.home() / "elsewhere/metal-unlock"));
}

TEST_CASE("a cache whose path the loader would take apart is a finding") {
  Sandbox sandbox;
  for (const char* name : {"with space", "with:colon", "with$LIB", "with${ORIGIN}"}) {
    CAPTURE(name);
    sandbox.set("XDG_CACHE_HOME", (sandbox.home() / name).string());
    const Outcome preferred = sandbox.run_caps();
    CHECK(json::parse(preferred.out) == sandbox.stock_answers());
    CHECK(finding_ids(preferred.err) == Words{"shim-path"});
    CHECK(sandbox.run_caps({"--require"}).exit_status == 125);
  }
}

TEST_CASE("any other path is fine") {
  Sandbox sandbox;
  for (const char* name : {"with;semicolon", "with'quote", "with\"quote", "with%25percent", "with\nnewline",
                           "umlaut-\xc3\xa4", "no-utf8-\xff", "back\\slash", "-dash", "*"}) {
    CAPTURE(name);
    sandbox.set("XDG_CACHE_HOME", (sandbox.home() / name).string());
    const Outcome outcome = sandbox.run_caps({"--children"});
    CHECK(highest(outcome) == 1007);
    CHECK(outcome.err.empty());
    const Words evaluated =
        shell("eval \"$(\"$1\" env)\"; \"$2\" --json; true", {metal_unlock_program(), metal_caps_program()});
    CHECK(highest(sandbox.execute(evaluated)) == 1007);
  }
}
