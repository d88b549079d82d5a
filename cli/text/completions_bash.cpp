// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/text/completions_text.hpp"

namespace metal_unlock {
namespace {

constexpr std::string_view bash_body = R"BASH(
# Adds those of the words on stdin, one a line, that begin as the word at the cursor does.
_metal_unlock_match() {
  local line
  while IFS= read -r line; do
    case $line in "$word"*) COMPREPLY+=("$line") ;; esac
  done
}

# Where nothing is offered, bash offers files; this says that there is nothing to offer. bash 3.2 cannot.
_metal_unlock_nothing() {
  if type compopt >/dev/null 2>&1; then compopt +o default +o bashdefault; fi
}

# The target's words begin at index $1: they are completed as if they stood alone.
_metal_unlock_target() {
  local first=$1 program rule handler previous
  if [ "$COMP_CWORD" -eq "$first" ]; then
    _metal_unlock_offer program
    return
  fi
  if type _command_offset >/dev/null 2>&1; then
    _command_offset "$first"
    return
  fi
  program=${COMP_WORDS[first]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  rule=$(complete -p "$program" 2>/dev/null) || rule=$(complete -p "${program##*/}" 2>/dev/null) || return 0
  case $rule in *' -F '*) ;; *) return 0 ;; esac
  handler=${rule##* -F }
  handler=${handler%% *}
  COMP_WORDS=("${COMP_WORDS[@]:first}")
  COMP_CWORD=$((COMP_CWORD - first))
  COMP_LINE=${COMP_WORDS[*]}
  COMP_POINT=${#COMP_LINE}
  "$handler" "$program" "$word" "$previous"
}

_metal_unlock() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} kind='' action='' at=2 given
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _metal_unlock_offer command
    return
  fi
  # In "--profile=m1" the sign is a word of its own.
  if [ "$word" = = ]; then word=''; fi
  while [ "$at" -lt "$COMP_CWORD" ]; do
    given=${COMP_WORDS[at]}
    case $given in
      --)
        if _metal_unlock_takes_target; then
          _metal_unlock_target $((at + 1))
          return
        fi
        ;;
      -?*)
        if _metal_unlock_value "$command $given"; then
          at=$((at + 1))
          if [ "$at" -lt "$COMP_CWORD" ] && [ "${COMP_WORDS[at]}" = = ]; then at=$((at + 1)); fi
          if [ "$at" -ge "$COMP_CWORD" ]; then
            _metal_unlock_offer "$kind"
            return
          fi
        fi
        ;;
      *)
        if _metal_unlock_stops_at_word; then
          _metal_unlock_target "$at"
          return
        fi
        if [ -z "$action" ]; then action=$given; fi
        ;;
    esac
    at=$((at + 1))
  done
  case $word in
    -*)
      _metal_unlock_options
      if [ "${#COMPREPLY[@]}" -eq 0 ]; then _metal_unlock_nothing; fi
      ;;
    *)
      if _metal_unlock_stops_at_word; then _metal_unlock_target "$COMP_CWORD"; else _metal_unlock_operand; fi
      ;;
  esac
}

complete -o default -o bashdefault -F _metal_unlock metal-unlock
)BASH";

std::string words_list(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += formatted("{}{}", text.empty() ? "" : " ", word);
  return text;
}

std::string lines_case(std::string_view pattern, std::string_view words) {
  return formatted("    {}) _metal_unlock_match < <(printf '%s\\n' {}) ;;\n", pattern, words);
}

std::string bash_offer_function() {
  std::string own = "--help --version";
  for (const CommandRow& row : command_rows()) own += formatted(" {}", row.name);
  std::string text = "_metal_unlock_offer() {\n  case $1 in\n";
  text += lines_case("command", own);
  for (const Completing kind : fixed_kinds())
    text += lines_case(to_text(kind), words_list(fixed_words(kind)));
  text += R"BASH(    program)
      case $word in */*) return ;; esac
      _metal_unlock_match < <(compgen -c -- "$word")
      ;;
    profile | profile_or_file) _metal_unlock_match < <("${COMP_WORDS[0]}" completions profiles 2>/dev/null) ;;
    known_program) _metal_unlock_match < <("${COMP_WORDS[0]}" completions programs 2>/dev/null) ;;
  esac
  case $1 in file | folder | profile_or_file | program) return ;; esac
  if [ "${#COMPREPLY[@]}" -eq 0 ]; then _metal_unlock_nothing; fi
}
)BASH";
  return text;
}

std::string bash_command_test(std::string_view name, bool (*holds)(const CommandRow&)) {
  std::string pattern;
  for (const CommandRow& row : command_rows())
    if (holds(row)) pattern += formatted("{}{}", pattern.empty() ? "" : " | ", row.name);
  return formatted("{}() {{\n  case $command in {}) return 0 ;; esac\n  return 1\n}}\n", name, pattern);
}

std::string bash_options_function() {
  std::string text = "_metal_unlock_options() {\n  case $command in\n";
  for (const CommandRow& row : command_rows()) {
    std::string words;
    for (const OptionRow& option : row.options)
      words += formatted("{}{}{}{}", words.empty() ? "" : " ", option.name, option.letter.empty() ? "" : " ",
                         option.letter);
    text += lines_case(row.name, words);
  }
  return text + "  esac\n}\n";
}

std::string bash_value_function() {
  std::string text =
      "# Whether an option takes a value; kind says which.\n_metal_unlock_value() {\n  case $1 in\n";
  for (const CommandRow& row : command_rows())
    for (const OptionRow& option : row.options)
      if (!option.value.empty())
        text += formatted("    '{} {}') kind='{}' ;;\n", row.name, option.name,
                          to_text(completing_of(option.value)));
  return text + "    *) return 1 ;;\n  esac\n}\n";
}

std::string bash_operand_function() {
  std::string text = "_metal_unlock_operand() {\n  case \"$command $action\" in\n";
  for (const CommandRow& row : command_rows()) {
    std::string actions;
    for (const ActionRow& action : row.actions) {
      actions += formatted("{}{}", actions.empty() ? "" : " ", action.name);
      text += formatted("    '{} {}') _metal_unlock_offer {} ;;\n", row.name, action.name,
                        to_text(action.operand));
    }
    if (!actions.empty()) text += lines_case(formatted("'{} '", row.name), actions);
    if (row.operand != Completing::nothing)
      text += formatted("    '{} '*) _metal_unlock_offer {} ;;\n", row.name, to_text(row.operand));
  }
  return text + "    *) _metal_unlock_nothing ;;\n  esac\n}\n";
}

}  // namespace

std::string bash_completions() {
  return "# Completes metal-unlock in bash 3.2 and later. Printed by: metal-unlock completions bash\n\n" +
         bash_command_test("_metal_unlock_stops_at_word", stops_at_word) + "\n" +
         bash_command_test("_metal_unlock_takes_target", takes_target) + "\n" + bash_options_function() +
         "\n" + bash_value_function() + "\n" + bash_operand_function() + "\n" + bash_offer_function() +
         std::string{bash_body};
}

}  // namespace metal_unlock
