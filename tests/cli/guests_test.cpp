// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <set>

using namespace metal_unlock;

namespace {

/// The answers after Apple families up to `ceiling` were claimed, as a device gives them.
json with_apple_families(json answers, int ceiling) {
  for (int family = 1001; family <= ceiling; ++family)
    answers.at("families").at(std::to_string(family)) = true;
  return answers;
}

/// What follows from the answers; metal-caps works it out, so it moves with them.
json without_gates(json answers) {
  answers.erase("gates");
  return answers;
}

std::set<std::string> changed_paths(const json& before, const json& after) {
  std::set<std::string> paths;
  for (const json& change : json::diff(before, after)) paths.insert(change.at("path").get<std::string>());
  return paths;
}

}  // namespace

TEST_CASE("run changes exactly the claimed answers of a guest") {
  struct Row {
    const char* guest;
    int ceiling;
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", 1007}, {"tahoe-26-m4-max", 1009}, {"sequoia-15-m3-pro", 1009},
      {"sonoma-14-runner", 1007},  {"mac2-only", 1007},
  };
  for (const Row& row : rows) {
    CAPTURE(row.guest);
    const Sandbox sandbox(row.guest);
    const json stock = sandbox.stock_answers();
    const json expected = with_apple_families(stock, row.ceiling);
    REQUIRE(expected != stock);
    const Outcome outcome = sandbox.run_caps();
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
    CHECK(without_gates(json::parse(outcome.out)) == without_gates(expected));
    CHECK(sandbox.run_caps({"--require"}).out == outcome.out);
  }
}

TEST_CASE("on an M1 Ultra the difference is two families, and what llama.cpp makes of them") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const auto changed = changed_paths(sandbox.stock_answers(), json::parse(sandbox.run_caps().out));
  CHECK(changed == std::set<std::string>{"/families/1006", "/families/1007", "/gates/bfloat",
                                         "/gates/highest_apple", "/gates/simdgroup_matrix",
                                         "/gates/simdgroup_reduction"});
}

TEST_CASE("on an M4 Max the difference is the families up to Apple 9") {
  const Sandbox sandbox("tahoe-26-m4-max");
  const json unlocked = json::parse(sandbox.run_caps().out);
  CHECK(apple_families(unlocked) == std::vector<int>{1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009});
  CHECK(unlocked.at("gates").at("highest_apple") == 1009);
}

TEST_CASE("where there is nothing to unlock the target runs stock, silently, and nothing is placed") {
  const auto [guest, require_refuses] = GENERATE(table<const char*, bool>({{"bare-metal-m1-ultra", false},
                                                                           {"bare-metal-m3-pro", false},
                                                                           {"bare-metal-m5", false},
                                                                           {"amd-mac", false},
                                                                           {"no-device", true},
                                                                           {"not-a-mac", false}}));
  CAPTURE(guest);
  const Sandbox sandbox(guest);
  const Outcome stock = sandbox.execute({metal_caps_program(), "--json"});
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.out == stock.out);
  CHECK(outcome.err == stock.err);
  CHECK(outcome.exit_status == stock.exit_status);
  CHECK_FALSE(std::filesystem::exists(sandbox.cache()));

  const Outcome required = sandbox.run_caps({"--require"});
  CHECK(required.exit_status == (require_refuses ? 125 : stock.exit_status));
  CHECK(finding_ids(required.err) == (require_refuses ? Words{"no-device"} : Words{}));
}

TEST_CASE("what is not needed leaves the target's environment alone") {
  const Words print = shell("tr '\\0' '\\n' < /proc/$$/environ");
  const Sandbox bare("bare-metal-m1-ultra");
  CHECK(bare.execute(run_words(print)).out == bare.execute(print).out);
  const Sandbox guest("tahoe-26-m1-ultra");
  CHECK(guest.execute(run_words(print)).out != guest.execute(print).out);
}

TEST_CASE("an unknown chip is never guessed upward") {
  const Sandbox sandbox("unknown-future-chip");
  const json stock = sandbox.stock_answers();

  const Outcome preferred = sandbox.run_caps();
  CHECK(preferred.exit_status == 0);
  CHECK(json::parse(preferred.out) == stock);
  CHECK(finding_ids(preferred.err) == Words{"profile-none"});
  CHECK(preferred.err.find("'Apple M9'") != std::string::npos);

  const Outcome required = sandbox.run_caps({"--require"});
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
  CHECK(finding_ids(required.err) == Words{"profile-none"});

  const Outcome requested = sandbox.run_caps({"--profile", "apple7"});
  CHECK(requested.err.empty());
  CHECK(without_gates(json::parse(requested.out)) == without_gates(with_apple_families(stock, 1007)));

  const Outcome guessed = sandbox.run_caps({"--profile", "m4-max"});
  CHECK(guessed.exit_status == 125);
  CHECK(finding_ids(guessed.err) == Words{"claim-above-ceiling"});
}
