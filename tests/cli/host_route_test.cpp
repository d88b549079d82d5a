// SPDX-License-Identifier: MIT

// The way of a host report: written on a simulated host, carried to a simulated guest, used there.

#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/text_search.hpp"

using namespace metal_unlock;

namespace {

/// Has the simulated host write its report into a folder that the guest sees as a share.
std::filesystem::path write_on(Sandbox& sandbox, const std::string& host, const std::string& share) {
  sandbox.choose_guest(host);
  const std::filesystem::path report = sandbox.write("shares/" + share + "/metal-unlock-host.toml", "");
  const Outcome outcome = sandbox.metal_unlock({"host", "report", "--output", report});
  REQUIRE(outcome.exit_status == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  return report;
}

void go_to_guest(Sandbox& sandbox, const std::filesystem::path& report) {
  sandbox.choose_guest("tahoe-26-m1-ultra");
  sandbox.set("METAL_UNLOCK_SIMULATED_SHARES", report.parent_path().parent_path());
}

}  // namespace

TEST_CASE("a report from an M1 Ultra is found in the guest's shares, used, and named as the ceiling") {
  Sandbox sandbox;
  const std::filesystem::path report = write_on(sandbox, "bare-metal-m1-ultra", "a");
  go_to_guest(sandbox, report);
  const Outcome dry = sandbox.run_caps({"--dry-run"});
  CHECK(dry.exit_status == 0);
  CHECK(dry.err.empty());
  CHECK(holds(dry.out, "host report " + report.string() + " (Apple M1 Ultra)\n"));
  // Only a host report is a ceiling for the working set, so this profile works with one and not without.
  const std::string more =
      sandbox.write("more.toml",
                    "schema = 1\ndescription = \"x\"\nextends = "
                    "\"m1-ultra\"\n[claims]\nrecommended_max_working_set = 48000000000\n");
  const Outcome used = sandbox.run_caps({"--profile", more});
  REQUIRE(used.exit_status == 0);
  CHECK(json::parse(used.out).at("limits").at("recommendedMaxWorkingSetSize") == 48000000000);
  std::filesystem::remove(report);
  CHECK(sandbox.run_caps({"--profile", more}).exit_status == 125);
}

TEST_CASE("a report from an M3 Pro is refused with both chips' names") {
  Sandbox sandbox;
  const std::filesystem::path report = write_on(sandbox, "bare-metal-m3-pro", "a");
  go_to_guest(sandbox, report);
  const std::string sentence = "is of 'Apple M3 Pro', but this guest runs on 'Apple M1 Ultra'";
  const Outcome found = sandbox.run_caps();
  CHECK(found.exit_status == 0);
  CHECK(holds(found.err, sentence));
  CHECK(finding_ids(found.err) == Words{"host-report-other-chip"});
  CHECK(apple_families(json::parse(found.out)).back() == 1007);
  const Outcome named = sandbox.run_caps({"--host-report", report});
  CHECK(named.exit_status == 125);
  CHECK(holds(named.err, sentence));
}

TEST_CASE("host commands work on the simulated host, and each change is undone by one command") {
  Sandbox sandbox("bare-metal-m1-ultra");
  const std::filesystem::path stored = sandbox.write("preference", "");
  const auto state = [&] {
    const Outcome status = sandbox.metal_unlock({"host", "status", "--json"});
    return json::parse(status.out).at("state");
  };
  CHECK(sandbox.metal_unlock({"host", "status"}).exit_status == 1);
  sandbox.set("METAL_UNLOCK_SIMULATED_PREFERENCE", stored);
  CHECK(state() == "not set");
  CHECK(sandbox.metal_unlock({"host", "enable"}).exit_status == 0);
  CHECK(state() == "true");
  CHECK(sandbox.metal_unlock({"host", "disable"}).exit_status == 0);
  CHECK(state() == "not set");
  CHECK(sandbox.metal_unlock({"run", "--", "true"}).exit_status == 0);
  CHECK(state() == "not set");
  sandbox.choose_guest("not-a-mac");
  const Outcome elsewhere = sandbox.metal_unlock({"host", "enable"});
  CHECK(elsewhere.exit_status == 1);
  CHECK(finding_ids(elsewhere.err) == Words{"host-only"});
}

TEST_CASE("a smaller GPU is simulated in a real process, and the report marks it") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string small = sandbox.write(
      "small.toml",
      "schema = 1\ndescription = \"x\"\n[simulate]\napple_family = 1003\nmax_threadgroup_memory = 16384\n");
  const std::string events = sandbox.work() / "events";
  const Outcome outcome = sandbox.run_caps({"--profile", small, "--report", events});
  REQUIRE(outcome.exit_status == 0);
  CHECK(finding_ids(outcome.err) == Words{"simulated"});
  const json answers = json::parse(outcome.out);
  CHECK(apple_families(answers) == std::vector<int>{1001, 1002, 1003});
  CHECK(answers.at("limits").at("maxThreadgroupMemoryLength") == 16384);
  CHECK(answers.at("limits").at("recommendedMaxWorkingSetSize") == 11453251584);
  const std::string report = read_file(events);
  CHECK(holds(report, "\"simulated\":{\"apple_family\":1003,\"max_threadgroup_memory\":16384}"));
  CHECK(holds(report, "\"simulated\":{\"apple-family\":1003,\"max-threadgroup-memory\":16384}"));
  CHECK(holds(report, "{\"event\":\"effective\""));
}
