// SPDX-License-Identifier: MIT

// The threads of threads_test.cpp under ThreadSanitizer, which sees the shim, the client and the stand-in,
// not the Objective-C runtime.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/shim/rebuilt_shim.hpp"
#include "tests/shim/shim_build.hpp"
#include "tests/shim/shim_run.hpp"
#include "tests/shim/stress_classes.hpp"

using namespace metal_unlock;

namespace {

constexpr int repetitions = 3;

/// Runs `argv`, without a random layout of memory where the sanitizer cannot live with one.
Outcome run_sanitized(ProcessCommand command) {
  const Outcome outcome = run_process(command);
  if (outcome.err.find("unexpected memory mapping") == std::string::npos) return outcome;
  command.argv.insert(command.argv.begin(), {"setarch", "--addr-no-randomize"});
  return run_process(command);
}

struct Scenario {
  std::string classes;
  bool loads_shim;  ///< while the threads ask; otherwise it is preloaded
};

Outcome stress(const Scenario& scenario, const std::filesystem::path& shim,
               const std::filesystem::path& report) {
  std::vector<std::string> argv{build_directory() / "sanitized-stress-client", scenario.classes,
                                std::to_string(repetitions)};
  if (scenario.loads_shim) argv.push_back(shim);
  const std::string handoff =
      "v1;" + handoff_for(scenario.classes) + ";children;report=" + report.string() + ";end";
  return run_sanitized(
      {.argv = argv,
       .environment = {{"LD_LIBRARY_PATH", (build_directory() / "variants" / "sanitized").string()},
                       {"LD_PRELOAD", scenario.loads_shim ? "" : shim.string()},
                       {"METAL_UNLOCK_HANDOFF", handoff}}});
}

const Scenario made_together{late, false};
const Scenario loaded_meanwhile{early, true};

}  // namespace

TEST_CASE("ThreadSanitizer sees no race while 64 threads make devices and ask them") {
  const std::filesystem::path shim = build_directory() / "variants" / "sanitized" / "libmetal-unlock.so";
  for (const Scenario& scenario : {made_together, loaded_meanwhile}) {
    CAPTURE(scenario.classes);
    const TemporaryDirectory directory;
    const Outcome outcome = stress(scenario, shim, directory.path() / "report");
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err == "");
    CHECK(json::parse(outcome.out) == json{{"told", repetitions}});
  }
}

TEST_CASE("ThreadSanitizer sees the race in a shim that publishes its originals carelessly") {
  const ShimBuild build{compile_sanitized_shim, link_sanitized_shim};
  const ShimChange change{"override.mm", "__atomic_store_n(&original, imp, __ATOMIC_RELEASE)",
                          "original = imp"};
  const TemporaryDirectory directory;
  const auto shim = rebuilt_shim(build, change, directory.path());
  const Outcome outcome = stress(made_together, shim, directory.path() / "report");
  CHECK(outcome.err.find("ThreadSanitizer: data race") != std::string::npos);
}
