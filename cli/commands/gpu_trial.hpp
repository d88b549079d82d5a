// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

namespace metal_unlock {

/// How the GPU is put to the test.
struct TrialOptions {
  double seconds = 20;         ///< for each check
  bool with_stock = true;      ///< each check is run stock, too
  bool shows_progress = true;  ///< where stderr is a terminal
};

/// How the process of a check is started: as `run` would start this program. Places the shim.
Launch prepare_trial(System& system, const LaunchOptions& options);

/// Runs every check in a process of its own: unlocked where the launch is, and stock. A finding where that
/// could not be done, or the user stopped it.
Result<GpuVerdict> run_trial(System& system, const Launch& launch, const TrialOptions& options);

}  // namespace metal_unlock
