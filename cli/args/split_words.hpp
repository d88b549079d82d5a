// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/declarations.hpp"
#include "cli/core/result.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// The words of a command line, cut where its own part ends.
struct SplitWords {
  std::vector<std::string> own;   ///< options with their values
  std::vector<std::string> rest;  ///< operands, or the target with its arguments; the separating "--" is gone
  bool operator==(const SplitWords&) const = default;
};

/// Cuts before any parser sees the words, so that a target's arguments are never interpreted. An option the
/// command does not have is a usage finding that names the nearest one, and so is an option without its
/// value; an empty value is none.
Result<SplitWords> split_words(const CommandRow& command, const std::vector<std::string>& words);

}  // namespace metal_unlock
