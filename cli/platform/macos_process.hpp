// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/process_facts.hpp"

namespace metal_unlock {

/// What the kernel says about a process to whoever asks.
ProcessFacts macos_process(std::int64_t pid);

}  // namespace metal_unlock
