// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/core/result.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// Reads the words after the program's name. Findings: usage, no-command.
Result<Command> parse_command(const std::vector<std::string>& words);

}  // namespace metal_unlock
