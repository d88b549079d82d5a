// SPDX-License-Identifier: MIT
#include "cli/core/shell_alias.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Whether every shell takes the name for an alias as it is.
bool is_plain(std::string_view name) {
  if (name.empty() || name_letters.find(name.front()) == std::string_view::npos) return false;
  return std::ranges::all_of(name, [](char letter) {
    return name_letters.find(letter) != std::string_view::npos || letter == '-' || letter == '.' ||
           letter == '+';
  });
}

/// Words that a shell keeps for itself: an alias of such a name would break every script that is typed.
bool is_shells_own(std::string_view name) {
  constexpr std::array<std::string_view, 34> words{
      "if",      "then", "else", "elif", "fi",     "for",      "while", "until", "do",
      "done",    "case", "esac", "in",   "select", "function", "time",  "end",   "begin",
      "switch",  "and",  "or",   "not",  "return", "alias",    "eval",  "exec",  "command",
      "builtin", "test", "cd",   "set",  "source", "exit",     "export"};
  return std::ranges::find(words, name) != words.end();
}

std::string fish_word(std::string_view text) {
  return shell_word(text) == text ? std::string{text} : fish_quoted(text);
}

std::string line_of(const std::vector<std::string>& prefix, const std::string& program,
                    std::string (*quote)(std::string_view)) {
  std::string line;
  for (const std::string& word : prefix) line += quote(word) + " ";
  return line + "-- " + quote(program);
}

}  // namespace

std::optional<ShellKind> shell_kind(std::string_view shell) {
  const std::string_view name = file_name(shell);
  if (name == "fish") return ShellKind::fish;
  for (const std::string_view known : {"sh", "bash", "zsh", "dash", "ksh"})
    if (name == known) return ShellKind::posix;
  return std::nullopt;
}

std::string alias_name(std::string_view program) {
  std::string name{file_name(program)};
  if (is_plain(name)) return name;
  std::ranges::replace_if(
      name, [](char letter) { return name_letters.find(letter) == std::string_view::npos; }, '_');
  return !name.empty() && name.front() >= '0' && name.front() <= '9' ? "_" + name : name;
}

Result<std::string> alias_for(ShellKind shell, const std::vector<std::string>& prefix,
                              const std::string& program) {
  const std::string name = alias_name(program);
  const auto refused = [&](std::string_view reason) {
    return Finding{FindingId::usage, formatted("there can be no alias for '{}': {}", program, reason),
                   "metal-unlock help alias"};
  };
  if (name.empty()) return refused("it names no file");
  if (name == "metal-unlock") return refused("it would start itself");
  if (is_shells_own(name)) return refused("the shell keeps this word for itself");
  if (shell == ShellKind::fish) {
    const std::string wraps = name == program ? std::string{} : formatted(" --wraps {}", fish_word(program));
    return formatted("function {}{}; {} $argv; end\n", name, wraps, line_of(prefix, program, fish_word));
  }
  const std::string line = line_of(prefix, program, shell_word);
  if (is_plain(file_name(program))) return formatted("alias {}={}\n", name, shell_word(line));
  return formatted("{}() {{ {} \"$@\"; }}\n", name, line);
}

}  // namespace metal_unlock
