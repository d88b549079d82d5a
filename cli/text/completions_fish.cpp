// SPDX-License-Identifier: MIT
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/completions_text.hpp"

namespace metal_unlock {
namespace {

constexpr std::string_view fish_body = R"FISH(
# The target's words begin at index $first: they are completed as if they stood alone.
function __metal_unlock_target --argument-names first
    set -l words (commandline -opc)
    set -l line (commandline -ct)
    if test $first -le (count $words)
        set line (string escape -- $words[$first..-1]) $line
    end
    complete -C (string join ' ' -- $line)
end

function __metal_unlock_complete
    set -l words (commandline -opc)
    set -l word (string unescape -- (commandline -ct))
    set -l given_words (count $words)
    if test $given_words -lt 2
        __metal_unlock_offer command "$word" ''
        return
    end
    set -l command $words[2]
    set -l action ''
    set -l at 3
    while test $at -le $given_words
        set -l given $words[$at]
        switch $given
            case --
                if __metal_unlock_takes_target $command
                    __metal_unlock_target (math $at + 1)
                    return
                end
            case '-*'
                set -l kind (__metal_unlock_value $command $given)
                if test -n "$kind"
                    set at (math $at + 1)
                    if test $at -gt $given_words
                        __metal_unlock_offer $kind "$word" ''
                        return
                    end
                end
            case '*'
                if __metal_unlock_stops_at_word $command
                    __metal_unlock_target $at
                    return
                end
                if test -z "$action"
                    set action $given
                end
        end
        set at (math $at + 1)
    end
    switch $word
        case '--*=*'
            set -l parts (string split -m 1 = -- $word)
            set -l kind (__metal_unlock_value $command $parts[1])
            if test -n "$kind"
                __metal_unlock_offer $kind "$parts[2]" "$parts[1]="
            end
        case '-*'
            __metal_unlock_options $command
        case '*'
            if __metal_unlock_stops_at_word $command
                __metal_unlock_target (math $given_words + 1)
            else
                __metal_unlock_operand $command "$action" "$word"
            end
    end
end

complete -c metal-unlock -f -a '(__metal_unlock_complete)'
)FISH";

std::string fish_command_test(std::string_view name, bool (*holds)(const CommandRow&)) {
  std::string words;
  for (const CommandRow& row : command_rows())
    if (holds(row)) words += formatted(" {}", row.name);
  return formatted("function {} --argument-names command\n    contains -- $command{}\nend\n", name, words);
}

std::string fish_entry(std::string_view name, std::string_view description) {
  return formatted(" {}\\t{}", name, fish_quoted(description));
}

std::string fish_offer_function() {
  std::string text =
      "# What a word may be; $prefix stands before it, as in --profile=NAME.\n"
      "function __metal_unlock_offer --argument-names kind word prefix\n"
      "    set -l program (commandline -opc)[1]\n"
      "    switch $kind\n"
      "        case command\n            printf '%s\\n'";
  for (const CommandRow& row : command_rows()) text += fish_entry(row.name, row.summary);
  text += fish_entry("--help", "show the page of the program") +
          fish_entry("--version", "print the version") + "\n";
  for (const Completing kind : fixed_kinds()) {
    text += formatted("        case {}\n            printf '%s\\n'", to_text(kind));
    for (const std::string_view word : fixed_words(kind)) text += formatted(" {{$prefix}}{}", word);
    text += "\n";
  }
  return text + R"FISH(        case profile
            printf '%s\n' $prefix($program completions profiles 2>/dev/null)
        case known_program
            printf '%s\n' $prefix($program completions programs 2>/dev/null)
        case profile_or_file
            printf '%s\n' $prefix($program completions profiles 2>/dev/null)
            printf '%s\n' $prefix(__fish_complete_path "$word")
        case file
            printf '%s\n' $prefix(__fish_complete_path "$word")
        case folder
            printf '%s\n' $prefix(__fish_complete_directories "$word")
        case program
            complete -C "$word"
    end
end
)FISH";
}

std::string fish_options_function() {
  std::string text = "function __metal_unlock_options --argument-names command\n    switch $command\n";
  for (const CommandRow& row : command_rows()) {
    text += formatted("        case {}\n            printf '%s\\n'", row.name);
    for (const OptionRow& option : row.options) {
      text += fish_entry(option.name, option.description);
      if (!option.letter.empty()) text += fish_entry(option.letter, option.description);
    }
    text += "\n";
  }
  return text + "    end\nend\n";
}

std::string fish_value_function() {
  std::string text =
      "# What the value of an option may be; nothing is printed for one that takes none.\n"
      "function __metal_unlock_value --argument-names command option\n    switch \"$command $option\"\n";
  for (const CommandRow& row : command_rows())
    for (const OptionRow& option : row.options)
      if (!option.value.empty())
        text += formatted("        case '{} {}'\n            echo {}\n", row.name, option.name,
                          to_text(completing_of(option.value)));
  return text + "    end\nend\n";
}

std::string fish_operand_function() {
  std::string text =
      "function __metal_unlock_operand --argument-names command action word\n"
      "    switch \"$command $action\"\n";
  for (const CommandRow& row : command_rows()) {
    std::string actions;
    for (const ActionRow& action : row.actions) {
      actions += formatted(" {}", action.name);
      text += formatted("        case '{} {}'\n            __metal_unlock_offer {} \"$word\" ''\n", row.name,
                        action.name, to_text(action.operand));
    }
    if (!actions.empty())
      text += formatted("        case '{} '\n            printf '%s\\n'{}\n", row.name, actions);
    if (row.operand != Completing::nothing)
      text += formatted("        case '{} *'\n            __metal_unlock_offer {} \"$word\" ''\n", row.name,
                        to_text(row.operand));
  }
  return text + "    end\nend\n";
}

}  // namespace

std::string fish_completions() {
  return "# Completes metal-unlock in fish. Printed by: metal-unlock completions fish\n\n" +
         fish_command_test("__metal_unlock_stops_at_word", stops_at_word) + "\n" +
         fish_command_test("__metal_unlock_takes_target", takes_target) + "\n" + fish_options_function() +
         "\n" + fish_value_function() + "\n" + fish_operand_function() + "\n" + fish_offer_function() +
         std::string{fish_body};
}

}  // namespace metal_unlock
