// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"
#include "cli/core/plan.hpp"
#include "cli/core/result.hpp"
#include "cli/platform/descriptor.hpp"

namespace metal_unlock {

/// execve, and like execvp hands a file without a known format to the shell. Returns errno.
int execute(const Plan& plan, const Environment& environment);

/// Gives signals back what `run_to_end` took from them, for a process that is about to become a target.
void restore_signals();

/// The finding for an errno of starting a plan: a mistake, or a circumstance where another plan for the same
/// target may succeed, since this one only is too long.
Finding execution_failed(const Plan& plan, int error);

/// Above the standard streams, any of which may be closed, and out of a started program's sight.
Descriptor out_of_the_way(int number);

}  // namespace metal_unlock
