// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"
#include "cli/core/plan.hpp"
#include "cli/core/result.hpp"
#include "cli/platform/descriptor.hpp"

namespace metal_unlock {

/// execve, and like execvp hands a file without a known format to the shell. Returns errno.
int execute(const Plan& plan, const Environment& environment);

/// The finding for an errno of starting a plan.
Finding execution_failed(const Plan& plan, int error);

/// Above the standard streams, any of which may be closed, and out of a started program's sight.
Descriptor out_of_the_way(int number);

}  // namespace metal_unlock
