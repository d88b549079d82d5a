// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/text/completions_text.hpp"

namespace metal_unlock {
namespace {

std::string completion_answer(const System& system, CompletionsCommand::Kind kind) {
  using enum CompletionsCommand::Kind;
  std::string names;
  switch (kind) {
    case bash:
      return bash_completions();
    case zsh:
      return zsh_completions();
    case fish:
      return fish_completions();
    case profiles:
      for (const ProfileEntry& entry : load_library(system).entries()) names += entry.name + "\n";
      break;
    case programs:
      for (const std::string& name : load_programs(system).names()) names += name + "\n";
      break;
  }
  return names;
}

}  // namespace

int run(System& system, const CompletionsCommand& command) {
  return print_answer(system, completion_answer(system, command.kind)) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
