// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/written_paths.hpp"

#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// A file that may be written, and whether it was.
struct ShownPath {
  WrittenPath path;
  bool is_there = false;
};

/// "named by you", "there", "not there"
std::string_view state_of(const ShownPath& path);

std::string paths_text(std::span<const ShownPath> paths);

}  // namespace metal_unlock
