// SPDX-License-Identifier: MIT

// From end to end: what `metal-unlock run` hands over for each recorded guest, given to the file for macOS.

#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/shim/shim_run.hpp"

using namespace metal_unlock;

namespace {

/// The handoff that a target of `run` finds.
std::string handed_over(const Sandbox& sandbox, const Words& options) {
  const std::string start = "METAL_UNLOCK_HANDOFF=";
  const Outcome outcome = sandbox.execute(run_words(shell("cat /proc/$$/environ"), options));
  for (const std::string& entry : zero_terminated(outcome.out)) {
    if (entry.starts_with(start)) return entry.substr(start.size());
  }
  return "";
}

Outcome caps(const std::string& guest, const std::string& handoff) {
  return run_process(command_with_shim({.argv = {"metal-caps", "--json", "--all"},
                                        .environment = {{"METAL_UNLOCK_GUEST", guest_file(guest)},
                                                        {"METAL_UNLOCK_HANDOFF", handoff},
                                                        {"LD_LIBRARY_PATH", std::nullopt}}},
                                       {}));
}

json all_answers(const Sandbox& sandbox, const Words& argv) { return json::parse(sandbox.execute(argv).out); }

}  // namespace

TEST_CASE(
    "what run hands over gives the same answers through the file for macOS as through the one for Linux") {
  const Words options[] = {{}, {"--require"}, {"--children"}};
  const Words target{metal_caps_program(), "--json", "--all"};
  std::size_t unlocked = 0;
  for (const auto& file : guest_files()) {
    const std::string guest = file.stem();
    const Sandbox sandbox(guest);
    for (const Words& chosen : options) {
      const std::string handoff = handed_over(sandbox, chosen);
      if (handoff.empty()) continue;
      CAPTURE(guest, handoff);
      const json told = all_answers(sandbox, run_words(target, chosen));
      const json stock = all_answers(sandbox, target);
      REQUIRE(told != stock);
      const Outcome outcome = caps(guest, handoff);
      CHECK(outcome.exit_status == 0);
      CHECK(json::parse(outcome.out) == told);
      CHECK(json::parse(caps(guest, "").out) == stock);
      ++unlocked;
    }
  }
  CHECK(unlocked >= 10);
}
