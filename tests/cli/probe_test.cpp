// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

json recording(const std::filesystem::path& file) {
  json report = json::parse(read_file(file));
  report.erase("recorded");  // where the recording came from is no answer of the machine
  return report;
}

std::vector<int> families_of(const json& report) { return report.at("devices").at(0).at("families"); }

}  // namespace

TEST_CASE("probe --json prints exactly the recorded guest") {
  for (const auto& file : guest_files()) {
    CAPTURE(file);
    const Sandbox sandbox(file.stem().string());
    const Outcome outcome = sandbox.metal_unlock({"probe", "--json"});
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
    CHECK(json::parse(outcome.out) == recording(file));
    CHECK_FALSE(std::filesystem::exists(sandbox.cache()));
  }
}

TEST_CASE("what probe --json prints is a guest that can be played back") {
  Sandbox sandbox("sequoia-15-m3-pro");
  const Outcome first = sandbox.metal_unlock({"probe", "--json"});
  sandbox.set("METAL_UNLOCK_GUEST", sandbox.write("other/guest.json", first.out).string());
  CHECK(sandbox.metal_unlock({"probe", "--json"}).out == first.out);
  CHECK(apple_families(json::parse(sandbox.run_caps().out)).back() == 1009);
}

TEST_CASE("probe --unlocked --json differs from stock in the claimed families alone") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  json expected = recording(guest_file("tahoe-26-m1-ultra"));
  expected["unlocked"] = true;
  expected["devices"][0]["families"] = {1001, 1002, 1003, 1004, 1005, 1006, 1007, 3001, 3002, 3003};
  const Outcome outcome = sandbox.metal_unlock({"probe", "--unlocked", "--json"});
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  CHECK(json::parse(outcome.out) == expected);
}

TEST_CASE("probe --unlocked takes the profile that run would take") {
  const Sandbox sandbox("tahoe-26-m4-max");
  const auto highest = [&](const Words& options) {
    Words words{"probe", "--unlocked", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const std::vector<int> all = families_of(json::parse(sandbox.metal_unlock(words).out));
    return all.at(all.size() - 4);
  };
  CHECK(highest({}) == 1009);
  CHECK(highest({"--profile", "apple8"}) == 1008);
}

TEST_CASE("probe --unlocked where there is nothing to unlock is the stock report") {
  const Sandbox bare("bare-metal-m5");
  const Outcome outcome = bare.metal_unlock({"probe", "--unlocked", "--json"});
  CHECK(json::parse(outcome.out) == recording(guest_file("bare-metal-m5")));
  CHECK(outcome.err.empty());
  const Sandbox unknown("unknown-future-chip");
  const Outcome warned = unknown.metal_unlock({"probe", "--unlocked", "--json"});
  CHECK(json::parse(warned.out) == recording(guest_file("unknown-future-chip")));
  CHECK(finding_ids(warned.err) == Words{"profile-none"});
}

TEST_CASE("a mistake in probe --unlocked is said once, and the status is 1") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock({"probe", "--unlocked", "--profile", "m1-ulta"});
  CHECK(outcome.exit_status == 1);
  CHECK(outcome.out.empty());
  CHECK(finding_ids(outcome.err) == Words{"profile-unknown"});
}

TEST_CASE("probe in words") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string stock = sandbox.metal_unlock({"probe"}).out;
  CHECK(stock.find("chip                Apple M1 Ultra (Virtual)\n") != std::string::npos);
  CHECK(stock.find("families            Apple1-5, Common1-3\n") != std::string::npos);
  const std::string unlocked = sandbox.metal_unlock({"probe", "--unlocked"}).out;
  CHECK(unlocked.find("families            Apple1-7, Common1-3\n") != std::string::npos);
  const Sandbox without("no-device");
  CHECK(without.metal_unlock({"probe"}).out.find("device  none\n") != std::string::npos);
}

TEST_CASE("a guest that cannot be read is said with its place") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK_GUEST",
              sandbox.write("other/guest.json", "{\n  \"schema\": 1,\n  oops").string());
  for (const Words& words : {Words{"probe"}, Words{"run", "--", "true"}}) {
    const Outcome outcome = sandbox.metal_unlock(words);
    CHECK(outcome.exit_status == (words.front() == "run" ? 125 : 1));
    CHECK(finding_ids(outcome.err) == Words{"guest-invalid"});
    CHECK(outcome.err.find("line 3") != std::string::npos);
  }
}
