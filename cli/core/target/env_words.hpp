// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What env(1) does for given arguments.
struct EnvCall {
  EnvironmentChange change;
  std::vector<std::string> command;  ///< empty: it prints the environment
  bool operator==(const EnvCall&) const = default;
};

/// Reads the words after `env`: -i, -u, -S, assignments and the command. Nothing where an option is used
/// whose effect is not known here.
std::optional<EnvCall> read_env_words(std::span<const std::string> words, const Environment& environment);

/// Splits as `env -S` does, with its quotes, escapes and ${NAME}; nothing where that would be an error.
std::optional<std::vector<std::string>> split_env_string(std::string_view text,
                                                         const Environment& environment);

}  // namespace metal_unlock
