// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// A place in a text file, counted from 1.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const Position&) const = default;
};

/// One value of a TOML document and where it stands. Floats and dates are `other`: no file of ours uses them.
struct TomlNode {
  enum class Kind : std::uint8_t { string, integer, boolean, array, table, other };

  Kind kind = Kind::table;
  Position at;       ///< of the value
  std::string key;   ///< empty for array elements and the document itself
  Position key_at;   ///< of the key
  std::string text;  ///< for strings; for `other` the name of the type
  std::int64_t integer = 0;
  bool boolean = false;
  std::vector<TomlNode> children;  ///< elements or entries, in the order of the file
};

/// "a string", "an integer", …
std::string_view kind_name(const TomlNode& node);

/// A finding about a place in a file: "PATH:LINE:COLUMN: REASON".
Finding file_finding(FindingId id, std::string_view path, Position at, std::string_view reason,
                     std::string next);

/// Parses a document. A failure is a finding with `id` that says file, line, column and reason.
Result<TomlNode> parse_toml(std::string_view text, std::string_view path, FindingId id, std::string next);

}  // namespace metal_unlock
