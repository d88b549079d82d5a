// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string_view>

namespace metal_unlock {

/// Prints what a command was asked for; where stdout does not take all of it, says so and returns false.
bool print_answer(System& system, std::string_view text);

/// Prints the one finding that a command ends with, and returns the status of what went wrong.
int fail(System& system, const Finding& finding);

}  // namespace metal_unlock
