// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/program.hpp"
#include "cli/core/result.hpp"

#include <string_view>

namespace metal_unlock {

/// The version of the format of program files.
inline constexpr int program_schema = 1;

/// Reads one program file. The finding (profile-invalid) says file, line, column and reason. A fact without
/// source or date is a fault, and so are variables that a built-in file sets.
Result<Program> parse_program(std::string_view text, std::string_view path, ProfileLayer layer);

}  // namespace metal_unlock
