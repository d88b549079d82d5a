// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/process_facts.hpp"

namespace metal_unlock {

/// What /proc says about a process.
ProcessFacts linux_process(std::int64_t pid);

/// What the kernel allows debuggers.
DebugMeans linux_debug_means();

}  // namespace metal_unlock
