// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// Whether a file is env(1), wherever it comes from.
bool is_env(std::string_view file);

/// A program that is known to start another one: what it is, and where metal-unlock belongs. `argv` is its
/// own.
std::optional<Wrapper> wrapper_of(std::string_view file, std::span<const std::string> argv);

/// The same for a script that a shell runs.
Wrapper script_wrapper(std::string_view script, std::string_view text);

}  // namespace metal_unlock
