// SPDX-License-Identifier: MIT
#include "cli/text/help_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {

namespace {

/// "Variables: A=x|y, B, C", wrapped.
std::string variables() {
  constexpr std::size_t width = 100;
  std::string text = "Variables:";
  std::size_t column = text.size();
  for (const VariableRow& row : variable_rows()) {
    const bool is_last = &row == &variable_rows().back();
    std::string word{row.name};
    // One whose values are words of ours; the others say it by their names.
    if (row.values.starts_with("off")) word += formatted("={}", row.values);
    word += is_last ? "." : ",";
    const bool is_full = column + 1 + word.size() > width;
    text += (is_full ? "\n" : " ") + word;
    column = is_full ? word.size() : column + 1 + word.size();
  }
  return text + "\n";
}

}  // namespace

std::string program_help() {
  Table commands;
  for (const CommandRow& row : command_rows())
    commands.add_row({formatted("  {}", row.name), std::string{row.summary}});
  return formatted(
      "metal-unlock gives a program inside a macOS virtual machine its GPU back.\n\n"
      "  metal-unlock run -- llama-server -m model.gguf\n\n"
      "{}\n"
      "Options of one command: metal-unlock help COMMAND. The version: metal-unlock --version.\n"
      "{}",
      commands.text(), variables());
}

std::string command_help(const CommandRow& command) {
  Table options;
  for (const OptionRow& option : command.options) {
    std::string name = option.letter.empty() ? formatted("      {}", option.name)
                                             : formatted("  {}, {}", option.letter, option.name);
    if (!option.value.empty()) name += formatted(" {}", option.value);
    options.add_row({name, std::string{option.description}});
  }
  std::string text =
      formatted("usage: metal-unlock {}\n\n{}.\n\n{}", command.usage, command.summary, options.text());
  if (!command.notes.empty()) text += formatted("\n{}\n", command.notes);
  return text;
}

}  // namespace metal_unlock
