// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// Shells that take the same text for an alias.
enum class ShellKind : std::uint8_t { posix, fish };

/// Of "/bin/zsh", "fish", …; nothing where the shell is not known.
std::optional<ShellKind> shell_kind(std::string_view shell);

/// What a shell reads so that a program's name starts `prefix… -- program`: an alias; a function where the
/// file's name is no plain word, and always in fish. Ends in a newline. Findings: usage.
Result<std::string> alias_for(ShellKind shell, const std::vector<std::string>& prefix,
                              const std::string& program);

/// The name under which the program is then typed.
std::string alias_name(std::string_view program);

}  // namespace metal_unlock
