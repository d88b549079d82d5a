// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace metal_unlock {

/// A symbol that one of our files may import, and why that is safe.
struct AllowedImport {
  std::string name;
  std::string library;
  std::string reason;
  bool operator==(const AllowedImport&) const = default;
};

/// Lines of "symbol TAB library TAB reason"; lines that begin with # and empty ones say nothing. Throws where
/// a line is anything else, names a symbol for the second time or gives no reason.
std::vector<AllowedImport> parse_allow_list(const std::string& text);

}  // namespace metal_unlock
