// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace metal_unlock {

/// What a word of the command line can be, for the shell that completes it.
enum class Completing : std::uint8_t {
  nothing,
  file,
  folder,
  program,          ///< one that can be started
  profile,          ///< a profile's name
  profile_or_file,  ///< a profile's name, or a path
  known_program,    ///< a name that `explain` knows
  command,          ///< one of ours
  shell,            ///< one that there are completions for
  alias_shell,      ///< one that there are aliases for
  report_form,      ///< a form of doctor's answer
};

/// What the value of an option, called so in help, can be.
Completing completing_of(std::string_view value);

/// The words that are meant, where they are always the same; empty where they are not.
std::span<const std::string_view> fixed_words(Completing completing);

/// One option of a command: help, parsing, completions, the manual and near names are all made from this.
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

/// A word that may come first after a command, such as `show` of `profiles`.
struct ActionRow {
  std::string_view name;
  Completing operand;  ///< what follows it
};

struct CommandRow {
  std::string_view name;
  std::string_view usage;    ///< what follows "metal-unlock "
  std::string_view summary;  ///< one clause
  Operands operands = Operands::none;
  std::span<const OptionRow> options;
  std::string_view notes;                    ///< closes the help page; may be empty
  Completing operand = Completing::nothing;  ///< what its own words are, where it has no actions
  std::span<const ActionRow> actions = {};
};

/// A variable that the program reads.
struct VariableRow {
  std::string_view name;
  std::string_view values;
  std::string_view description;  ///< one clause
};

std::span<const VariableRow> variable_rows();

/// Every command, in the order of the help page.
std::span<const CommandRow> command_rows();

/// The row of that name; null where there is none.
const CommandRow* command_row(std::string_view name);

}  // namespace metal_unlock
