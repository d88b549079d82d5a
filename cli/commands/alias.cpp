// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/paths.hpp"
#include "cli/commands/run_words.hpp"
#include "cli/core/shell_alias.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <set>

namespace metal_unlock {
namespace {

Result<ShellKind> shell_of(const System& system, const AliasCommand& command) {
  const std::string named{command.shell.empty() ? system.environment().get_non_empty("SHELL").value_or("sh")
                                                : command.shell};
  if (const auto kind = shell_kind(named)) return *kind;
  return Finding{FindingId::usage, formatted("there are no aliases for the shell '{}' of $SHELL", named),
                 "name one: --shell bash, zsh, fish or sh"};
}

/// Our own name where the shell finds us by it, so that the alias outlives a move of the file.
std::string own_word(const System& system) {
  const std::string path = system.own_path();
  return is_on_path(system) ? std::string{file_name(path)} : path;
}

Result<std::string> aliases(const System& system, const AliasCommand& command) {
  const Result<ShellKind> shell = shell_of(system, command);
  if (!shell) return shell.finding();
  std::vector<std::string> prefix = run_words(system, command.launch);
  prefix.insert(prefix.begin(), own_word(system));
  std::string text;
  std::set<std::string> names;
  for (const std::string& program : command.programs) {
    if (const std::string name = alias_name(program); !names.insert(name).second)
      return Finding{FindingId::usage, formatted("two programs would be called '{}'", name),
                     "make the alias of one of them by hand"};
    const bool is_path = program.find('/') != std::string::npos;
    const Result<std::string> line =
        alias_for(*shell, prefix, is_path ? absolute_path(system, program) : program);
    if (!line) return line.finding();
    text += *line;
  }
  return text;
}

}  // namespace

int run(System& system, const AliasCommand& command) {
  const Result<std::string> text = aliases(system, command);
  if (text) return print_answer(system, *text) ? status_fine : status_wrong;
  tell(system, text.finding());
  return status_usage;
}

}  // namespace metal_unlock
