// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/help_text.hpp"
#include "cli/text/manual_text.hpp"

namespace metal_unlock {

int run(System& system, const HelpCommand& command) {
  if (command.manual) {
    const WritingPlaces usual{"~/Library/Caches/metal-unlock", "libmetal-unlock.dylib", "~", "PREFIX"};
    return print_answer(system, manual_text(program_version(), written_paths(usual))) ? status_fine
                                                                                      : status_wrong;
  }
  const CommandRow* row = command_row(command.topic);
  return print_answer(system, row == nullptr ? program_help() : command_help(*row)) ? status_fine
                                                                                    : status_wrong;
}

int run(System& system, const VersionCommand&) {
  return print_answer(system, formatted("metal-unlock {}\n", program_version())) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
