// SPDX-License-Identifier: MIT
#include "cli/text/completions_text.hpp"

#include <array>

namespace metal_unlock {

std::string_view to_text(Completing completing) {
  switch (completing) {
    case Completing::nothing:
      return "nothing";
    case Completing::file:
      return "file";
    case Completing::folder:
      return "folder";
    case Completing::program:
      return "program";
    case Completing::profile:
      return "profile";
    case Completing::profile_or_file:
      return "profile_or_file";
    case Completing::known_program:
      return "known_program";
    case Completing::command:
      return "command";
    case Completing::shell:
      return "shell";
    case Completing::alias_shell:
      return "alias_shell";
    case Completing::report_form:
      break;
  }
  return "report_form";
}

bool stops_at_word(const CommandRow& command) {
  return command.operands == Operands::command || command.operands == Operands::optional_command;
}

bool takes_target(const CommandRow& command) {
  return stops_at_word(command) || command.usage.find("-- COMMAND") != std::string_view::npos;
}

std::span<const Completing> fixed_kinds() {
  static constexpr std::array kinds{Completing::shell, Completing::alias_shell, Completing::report_form};
  return kinds;
}

}  // namespace metal_unlock
