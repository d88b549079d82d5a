// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

#include <string>

namespace metal_unlock {

/// A table with a row for each capability, as wide as the terminal allows, and a line for each that fails.
std::string verify_text(const GpuVerdict& verdict, const Launch& launch, const Terminal& terminal);

/// "2026-12-01 01:00 UTC: 12 of 12 claimed capabilities compute correctly"
std::string verdict_summary(const GpuVerdict& verdict);

}  // namespace metal_unlock
