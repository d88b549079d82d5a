// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/text/completions_text.hpp"

namespace metal_unlock {
namespace {

constexpr std::string_view zsh_head = R"ZSH(#compdef metal-unlock
# Completes metal-unlock in zsh. Printed by: metal-unlock completions zsh

_metal_unlock_names() {
  local -a names
  names=(${(f)"$($program completions $1 2>/dev/null)"})
  shift
  compadd "$@" -a names
}

_metal_unlock_profile() { _metal_unlock_names profiles "$@" }
_metal_unlock_known_program() { _metal_unlock_names programs "$@" }

_metal_unlock_profile_or_file() {
  _alternative 'profiles:profile:_metal_unlock_profile' 'files:file:_files'
}

_metal_unlock_program() {
  if [[ $words[CURRENT] == */* ]]; then _files -g '*(-*)'; else _command_names -e; fi
}

)ZSH";

constexpr std::string_view zsh_tail = R"ZSH(
# Loaded by compinit it is called at once; loaded with eval or source it registers itself.
if [ "$funcstack[1]" = _metal-unlock ]; then _metal-unlock "$@"; else compdef _metal-unlock metal-unlock; fi
)ZSH";

/// A text inside single quotes, inside the brackets of _arguments.
std::string bracketed(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == '\\') escaped += '\\';
    if (letter == '\'')
      escaped += "'\\''";
    else
      escaped += letter;
  }
  return escaped;
}

/// A text inside single quotes, as an entry of _describe.
std::string described(std::string_view name, std::string_view text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '\'' ? std::string{"'\\''"} : std::string{letter};
  return formatted("'{}:{}'", name, escaped);
}

std::string words_action(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += formatted("{}{}", text.empty() ? "" : " ", word);
  return formatted("({})", text);
}

std::string action_of(Completing completing) {
  switch (completing) {
    case Completing::nothing:
      return " ";
    case Completing::file:
      return "_files";
    case Completing::folder:
      return "_files -/";
    case Completing::shell:
    case Completing::alias_shell:
    case Completing::report_form:
      return words_action(fixed_words(completing));
    default:
      return formatted("_metal_unlock_{}", to_text(completing));
  }
}

std::string option_lines(const OptionRow& option) {
  const std::string text = bracketed(option.description);
  if (!option.value.empty())
    return formatted("        '{}=[{}]:{}:{}' \\\n", option.name, text, option.value,
                     action_of(completing_of(option.value)));
  if (option.letter.empty()) return formatted("        '{}[{}]' \\\n", option.name, text);
  return formatted("        '({0} {1})'{{{0},{1}}}'[{2}]' \\\n", option.letter, option.name, text);
}

/// What follows the options of a command with actions: first one of them, then what belongs to it.
std::string action_lines(const CommandRow& row) {
  std::string names;
  std::string cases;
  for (const ActionRow& action : row.actions) {
    names += formatted("{}{}", names.empty() ? "" : " ", action.name);
    if (action.operand != Completing::nothing)
      cases += formatted("          {}) {} ;;\n", action.name, action_of(action.operand));
  }
  const bool has_target = takes_target(row);
  std::string text = formatted("        '1:action:({})' '*::operand:->operand' && return\n", names);
  if (cases.empty() && !has_target) return text;
  text += "      if [[ $state == operand ]]; then\n        case $words[1] in\n" + cases;
  if (has_target)
    text +=
        "          *)\n"
        "            if (( ${words[(I)--]} && ${words[(I)--]} < CURRENT )); then\n"
        "              local end=${words[(i)--]}\n"
        "              words=(\"${(@)words[end+1,-1]}\") CURRENT=$(( CURRENT - end ))\n"
        "              if (( CURRENT == 1 )); then _metal_unlock_program; else _normal; fi\n"
        "            fi\n"
        "            ;;\n";
  return text + "        esac\n      fi\n";
}

std::string command_case(const CommandRow& row) {
  const bool has_target_after_actions = !row.actions.empty() && takes_target(row);
  std::string text =
      formatted("    {})\n      _arguments -s {}: \\\n", row.name, has_target_after_actions ? "" : "-S ");
  for (const OptionRow& option : row.options) text += option_lines(option);
  if (stops_at_word(row))
    text += "        '(-)1:command:_metal_unlock_program' '*::arguments:_normal'\n";
  else if (!row.actions.empty())
    text += action_lines(row);
  else if (row.operand != Completing::nothing)
    text += formatted("        '*:operand:{}'\n", action_of(row.operand));
  else
    text += "        ':nothing: '\n";
  return text + "      ;;\n";
}

}  // namespace

std::string zsh_completions() {
  std::string text{zsh_head};
  text += "_metal_unlock_command() {\n  local -a commands\n  commands=(\n";
  for (const CommandRow& row : command_rows())
    text += formatted("    {}\n", described(row.name, row.summary));
  text += "  )\n  _describe -t commands command commands\n}\n\n";
  std::string targets;
  for (const CommandRow& row : command_rows())
    if (stops_at_word(row)) targets += formatted("{}{}", targets.empty() ? "" : "|", row.name);
  text += formatted("_metal_unlock_takes_target() {{ [[ $words[1] == ({}) ]] }}\n\n", targets);
  text +=
      "_metal-unlock() {\n"
      "  local curcontext=$curcontext state line program=$words[1]\n"
      "  typeset -A opt_args\n"
      "  if (( CURRENT == 2 )); then\n"
      "    if [[ $words[2] == -* ]]; then compadd -- --help --version; else _metal_unlock_command; fi\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  # _arguments does not see a \"--\" that comes first.\n"
      "  if [[ $words[2] == -- && CURRENT -gt 2 ]] && _metal_unlock_takes_target; then\n"
      "    words=(\"${(@)words[3,-1]}\")\n"
      "    (( CURRENT -= 2 ))\n"
      "    if (( CURRENT == 1 )); then _metal_unlock_program; else _normal; fi\n"
      "    return\n"
      "  fi\n"
      "  case $words[1] in\n";
  for (const CommandRow& row : command_rows()) text += command_case(row);
  return text + "  esac\n}\n" + std::string{zsh_tail};
}

}  // namespace metal_unlock
