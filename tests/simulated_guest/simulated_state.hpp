// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bench_run.hpp"
#include "cli/platform/system.hpp"

namespace metal_unlock {

/// What else goes on here: from the file that METAL_UNLOCK_MACHINE_STATE names, whose lines are a word and a
/// number ("processors 8", "busy 12.5", "battery 1", "heat 2"); else from the kernel.
MachineState simulated_state(const System& system, MachineState state);

}  // namespace metal_unlock
