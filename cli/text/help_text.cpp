// SPDX-License-Identifier: MIT
#include "cli/text/help_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {

std::string program_help() {
  Table commands;
  for (const CommandRow& row : command_rows())
    commands.add_row({formatted("  {}", row.name), std::string{row.summary}});
  return formatted(
      "metal-unlock gives a program inside a macOS virtual machine its GPU back.\n\n"
      "  metal-unlock run -- llama-server -m model.gguf\n\n"
      "{}\n"
      "Options of one command: metal-unlock help COMMAND. The version: metal-unlock --version.\n"
      "Variables: METAL_UNLOCK=off|prefer|require, METAL_UNLOCK_PROFILE, METAL_UNLOCK_CONFIG,\n"
      "METAL_UNLOCK_HOST_REPORT, METAL_UNLOCK_VERIFY=1|0.\n",
      commands.text());
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
