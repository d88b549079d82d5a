// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace metal_unlock {

/// One option of a command: help, parsing, completions and near names are all made from this.
struct OptionRow {
  std::string_view name;         ///< "--profile"
  std::string_view letter;       ///< "-v", or empty
  std::string_view value;        ///< what the value is called in help; empty: a flag
  std::string_view description;  ///< one clause
};

/// What may follow a command's own options.
enum class Operands : std::uint8_t {
  none,
  words,    ///< its own words, such as `profiles show NAME`
  command,  ///< a target: everything from it on is passed on untouched
  optional_command,
};

struct CommandRow {
  std::string_view name;
  std::string_view usage;    ///< what follows "metal-unlock "
  std::string_view summary;  ///< one clause
  Operands operands = Operands::none;
  std::span<const OptionRow> options;
  std::string_view notes;  ///< closes the help page; may be empty
};

/// Every command, in the order of the help page.
std::span<const CommandRow> command_rows();

/// The row of that name; null where there is none.
const CommandRow* command_row(std::string_view name);

}  // namespace metal_unlock
