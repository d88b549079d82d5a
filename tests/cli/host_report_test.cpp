// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

std::string report_of(const std::string& chip, const std::string& families) {
  return "schema = 1\ntool = \"0.1.0\"\n[host]\nchip = \"" + chip +
         "\"\nmodel = \"Mac13,2\"\n[device]\nfamilies = [" + families +
         "]\nmax_threadgroup_memory = 32768\nrecommended_max_working_set = 64000000000\n";
}

constexpr char apple7[] = "1001, 1002, 1003, 1004, 1005, 1006, 1007, 3003, 5002";
constexpr char working_set[] =
    "schema = 1\ndescription = \"more memory\"\nextends = "
    "\"m1-ultra\"\n[claims]\nrecommended_max_working_set = ";

json working_set_of(const Outcome& outcome) {
  return json::parse(outcome.out).at("limits").at("recommendedMaxWorkingSetSize");
}

}  // namespace

TEST_CASE("a working set is claimed only up to what a host report allows") {
  Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string report = sandbox.write("host.toml", report_of("Apple M1 Ultra", apple7));
  const std::string within = sandbox.write("within.toml", std::string{working_set} + "48000000000\n");
  const std::string above = sandbox.write("above.toml", std::string{working_set} + "64000000016\n");

  CHECK(sandbox.run_caps({"--profile", within}).exit_status == 125);
  const Outcome allowed = sandbox.run_caps({"--profile", within, "--host-report", report});
  REQUIRE(allowed.exit_status == 0);
  CHECK(allowed.err.empty());
  CHECK(working_set_of(allowed) == 48000000000);
  const Outcome refused = sandbox.run_caps({"--profile", above, "--host-report", report});
  CHECK(refused.exit_status == 125);
  CHECK(finding_ids(refused.err) == Words{"claim-above-ceiling"});
  CHECK(working_set_of(sandbox.run_caps({"--host-report", report})) == 11453251584);

  sandbox.set("METAL_UNLOCK_HOST_REPORT", report);
  CHECK(working_set_of(sandbox.run_caps({"--profile", within})) == 48000000000);
}

TEST_CASE("a host report is the ceiling of every field") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string report =
      sandbox.write("host.toml", report_of("Apple M1 Ultra", "1001, 1002, 1003, 1004, 1005, 1006"));
  const Outcome lowered = sandbox.run_caps({"--host-report", report});
  CHECK(lowered.exit_status == 0);
  CHECK(finding_ids(lowered.err) == Words{"claim-lowered"});
  CHECK(apple_families(json::parse(lowered.out)).back() == 1006);
}

TEST_CASE("a host report that cannot be used is refused, and nothing is started") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  struct Row {
    std::string text;
    std::string id;
    std::string fragment;
  };
  const Row rows[] = {
      {report_of("Apple M3 Pro", apple7), "host-report-other-chip",
       "'Apple M3 Pro', but this guest runs on 'Apple M1 Ultra'"},
      {report_of("Apple M1 Ultra", "1001, 1007"), "host-report-invalid", "Apple7 without Apple2"},
      {report_of("Apple M1 Ultra", apple7).substr(0, 60), "host-report-invalid", "host.toml:"},
      {"schema = 2\n" + report_of("Apple M1 Ultra", apple7).substr(11), "host-report-invalid", "schema is 2"},
      {report_of("Apple M1 Ultra", apple7) + "cores = 4\n", "host-report-invalid", "unknown key 'cores'"},
      {std::string(10'000'000, '#'), "file-unreadable", "more than"},
      {"", "host-report-invalid", "schema is missing"},
  };
  for (const Row& row : rows) {
    INFO(row.fragment);
    const std::string report = sandbox.write("host.toml", row.text);
    const Outcome outcome = sandbox.metal_unlock({"run", "--host-report", report, "--", "touch", "mark"});
    CHECK(outcome.exit_status == 125);
    CHECK(finding_ids(outcome.err) == Words{row.id});
    CHECK(outcome.err.find(row.fragment) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  }
}
