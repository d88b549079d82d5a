// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <csignal>
#include <sstream>

using namespace metal_unlock;

namespace {

std::vector<json> events_in(const std::filesystem::path& report) {
  std::vector<json> events;
  std::istringstream lines{read_file(report)};
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  return events;
}

std::vector<json> named(const std::vector<json>& events, std::string_view name) {
  std::vector<json> found;
  for (const json& event : events)
    if (event.at("event") == name) found.push_back(event);
  return found;
}

std::string silent_client() { return build_directory() / "silent-client"; }

}  // namespace

TEST_CASE(
    "a report says what was decided, then what the shim did, and names every changed answer and no other") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const Outcome outcome = sandbox.run_caps({"--report", "report.jsonl"});
  REQUIRE(outcome.exit_status == 0);
  const std::vector<json> events = events_in(sandbox.work() / "report.jsonl");
  REQUIRE_FALSE(events.empty());
  CHECK(events.front().at("event") == "plan");
  CHECK(events.front().at("decision") == "unlocked");
  CHECK(events.front().at("profile") == "m1-ultra");
  CHECK(events.front().at("claims") == json{{"apple_family", 1007}, {"max_threadgroup_memory", 32768}});
  CHECK(named(events, "effective").size() == 1);

  const json stock = sandbox.stock_answers();
  const json unlocked = json::parse(outcome.out);
  std::vector<json> changed;
  for (const auto& [family, answer] : unlocked.at("families").items())
    if (answer != stock.at("families").at(family)) changed.push_back(std::stoi(family));
  std::vector<json> told;
  for (const json& event : named(events, "answer")) {
    CHECK(event.at("question") == "supportsFamily:");
    CHECK(event.at("stock") == false);
    CHECK(event.at("told") == true);
    told.push_back(event.at("family"));
  }
  CHECK(told == changed);
  CHECK(told == std::vector<json>{1006, 1007});
}

TEST_CASE("a report is begun anew by every run, wherever the target starts it") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  REQUIRE(sandbox.run_caps({"--report", "report.jsonl"}).exit_status == 0);
  const std::string first = read_file(sandbox.work() / "report.jsonl");
  REQUIRE(sandbox.run_caps({"--report", "report.jsonl"}).exit_status == 0);
  CHECK(read_file(sandbox.work() / "report.jsonl") == first);
}

TEST_CASE("a target that starts stock, or does not start, has a report as well") {
  const auto decision = [](std::string_view guest, const Words& options) {
    const Sandbox sandbox(guest);
    Words words{"--report", "report.jsonl"};
    words.insert(words.end(), options.begin(), options.end());
    sandbox.run_caps(words);
    const std::vector<json> events = events_in(sandbox.work() / "report.jsonl");
    CHECK(events.size() == 1);
    return std::pair{events.at(0).at("decision"), events.at(0).at("findings").size()};
  };
  CHECK(decision("bare-metal-m1-ultra", {}) == std::pair<json, std::size_t>{"stock", 0});
  CHECK(decision("unknown-future-chip", {}) == std::pair<json, std::size_t>{"stock", 1});
  CHECK(decision("unknown-future-chip", {"--require"}) == std::pair<json, std::size_t>{"refused", 1});
}

TEST_CASE("a report that cannot be written stops the start") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  for (const std::string& path : {std::string{"nowhere/report"}, std::string{"."}, std::string(1200, 'r')}) {
    const Outcome outcome = sandbox.metal_unlock({"run", "--report", path, "--", "touch", "mark"});
    CHECK(outcome.exit_status == 125);
    CHECK(finding_ids(outcome.err) == Words{"report-unwritten"});
    CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  }
  CHECK(sandbox.metal_unlock({"run", "--report", "/dev/null", "--", "touch", "mark"}).exit_status == 0);
  CHECK(std::filesystem::exists(sandbox.work() / "mark"));
}

TEST_CASE("claims beyond the host are recorded") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  for (const bool is_allowed : {false, true}) {
    Words options{"--report", "report.jsonl", "--profile", is_allowed ? "apple9" : "apple7"};
    if (is_allowed) options.emplace_back("--allow-beyond-host");
    REQUIRE(sandbox.run_caps(options).exit_status == 0);
    for (const json& event : events_in(sandbox.work() / "report.jsonl"))
      if (event.contains("beyond-host")) CHECK(event.at("beyond-host") == is_allowed);
  }
}

TEST_CASE("under require a shim that never reports is noticed, and the target is ended") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const Outcome ended = sandbox.metal_unlock({"run", "--require", "--", silent_client(), "50"});
  CHECK(ended.signal == SIGTERM);
  CHECK(finding_ids(ended.err) == Words{"shim-silent"});
  const Outcome over_before = sandbox.metal_unlock({"run", "--require", "--", silent_client()});
  CHECK(over_before.exit_status == 3);
  CHECK(finding_ids(over_before.err) == Words{"shim-silent"});
}

TEST_CASE("a start that fails is not taken for a silent shim") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  constexpr std::string_view other_machine{
      "\x7f"
      "ELF\0\0\0\0 not for this machine",
      29};
  const std::string gibberish = sandbox.write_program("work/gibberish", other_machine);
  CHECK(finding_ids(sandbox.metal_unlock({"run", "--require", "--", gibberish}).err) == Words{"exec-failed"});
  const Outcome unwritten = sandbox.metal_unlock({"run", "--require", "--report", "no/where", "--", "true"});
  CHECK(finding_ids(unwritten.err) == Words{"report-unwritten"});
}

TEST_CASE("a profile that raises nothing is no unlock under require") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string empty = sandbox.write("empty.toml", "schema = 1\ndescription = \"nothing\"\n");
  CHECK(sandbox.run_caps({"--profile", empty}).exit_status == 0);
  const Outcome refused = sandbox.run_caps({"--profile", empty, "--require"});
  CHECK(refused.exit_status == 125);
  CHECK(finding_ids(refused.err) == Words{"nothing-claimed"});
}

TEST_CASE("nobody watches where it does not matter, and a shim that reports is not disturbed") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const Outcome preferred = sandbox.metal_unlock({"run", "--", silent_client()});
  CHECK(preferred.exit_status == 3);
  CHECK(preferred.err.empty());

  // The watch is over before the program begins: it finds no child and no descriptor that it would not have
  // otherwise.
  const std::string script = "for i in 1 2 3 4 5; do cat /proc/$$/task/$$/children; done; echo /proc/$$/fd/*";
  const Outcome watched = sandbox.execute(run_words(shell(script), {"--require"}));
  const Outcome unwatched = sandbox.execute(run_words(shell(script)));
  const auto without_pid = [](std::string text, int pid) {
    const std::string digits = std::to_string(pid);
    for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits))
      text.erase(at, digits.size());
    return text.substr(text.find("/proc/"));
  };
  CHECK(watched.exit_status == 0);
  CHECK(watched.err.empty());
  CHECK(without_pid(watched.out, watched.pid) == without_pid(unwatched.out, unwatched.pid));
}

TEST_CASE("another project's shim in the preload list is in the way, its variable alone is a note") {
  Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string library = sandbox.write("lib/TartMetalCapabilities.so", "no library");
  sandbox.set("LD_PRELOAD", library);
  const Outcome stacked = sandbox.run_caps();
  CHECK(apple_families(json::parse(stacked.out)).back() == 1005);
  CHECK(finding_ids(stacked.err).back() == "foreign-shim");
  CHECK(sandbox.run_caps({"--require"}).exit_status == 125);

  sandbox.set("LD_PRELOAD", std::nullopt);
  sandbox.set("TART_METAL_APPLE_FAMILY_MAX", "1009");
  const Outcome configured = sandbox.run_caps({"--require"});
  CHECK(apple_families(json::parse(configured.out)).back() == 1007);
  CHECK(finding_ids(configured.err) == Words{"foreign-shim"});
  sandbox.set("TART_METAL_APPLE_FAMILY_MAX", "0");
  CHECK(sandbox.run_caps().err.empty());
}
