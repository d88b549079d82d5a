// SPDX-License-Identifier: MIT

// 64 threads that make devices and ask them while the classes are being overridden.

#include "tests/catch.hpp"
#include "tests/shim/shim_run.hpp"
#include "tests/shim/stress_classes.hpp"

using namespace metal_unlock;

namespace {

const int repetitions = 50 / entrance().share;

json stress(const std::string& classes, const std::optional<std::string>& handoff) {
  const ShimOutcome outcome =
      run_with_shim({.argv = {"stress-client", classes, std::to_string(repetitions)}, .handoff = handoff});
  CHECK(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  return outcome.lines.at(0);
}

json stress_while_loading(const std::string& classes, const std::string& handoff) {
  const ShimOutcome outcome =
      run_with_shim({.argv = {"stress-client", classes, std::to_string(repetitions), shim_under_test()},
                     .environment = EnvironmentChanges{{entrance().preload_variable, ""},
                                                       {"METAL_UNLOCK_HANDOFF", handoff}}});
  CHECK(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  return outcome.lines.at(0);
}

}  // namespace

TEST_CASE("while 64 threads make devices each answer is stock or the claim and the last is the claim") {
  CHECK(stress(late, handoff_for(late)) == json{{"told", repetitions}});
  CHECK(stress(late, std::nullopt) == json{{"stock", repetitions}});
}

TEST_CASE("the same where the shim comes while they ask") {
  CHECK(stress_while_loading(early, "v1;" + handoff_for(early) + ";end") == json{{"told", repetitions}});
  CHECK(stress_while_loading(early, "") == json{{"stock", repetitions}});
}
