// SPDX-License-Identifier: MIT
#include "cli/core/target/script.hpp"

#include "cli/core/target/find_program.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    text = trimmed(text);
    if (text.empty()) return words;
    const std::size_t end = text.find_first_of(blanks);
    words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end);
  }
}

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || std::string_view{"_@%+=:,./-"}.find(letter) != std::string::npos;
}

/// Takes one word from the front of a line where a shell would read it literally; nothing where it would not.
std::optional<std::string> take_literal(std::string_view& line) {
  std::string word;
  while (!line.empty() && blanks.find(line.front()) == std::string_view::npos) {
    const char quote = line.front();
    if (quote != '\'' && quote != '"') {
      if (!is_plain(quote)) return std::nullopt;
      word += quote;
      line.remove_prefix(1);
      continue;
    }
    const std::size_t end = line.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = line.substr(1, end - 1);
    if (quote == '"' && inside.find_first_of("$`\\") != std::string_view::npos) return std::nullopt;
    word += inside;
    line.remove_prefix(end + 1);
  }
  line = trimmed(line);
  return word;
}

/// Whether a line begins with an assignment.
bool is_assignment(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  const std::string_view name = line.substr(0, equals);
  const bool is_name = std::ranges::all_of(name, [](char letter) {
    return is_plain(letter) && std::string_view{"@%+:,./-"}.find(letter) == std::string::npos;
  });
  return is_name && (name.front() < '0' || name.front() > '9');
}

/// `[NAME=…] exec PROGRAM [WORD…] "$@"`
std::optional<WrapperScript> read_exec(std::string_view line) {
  WrapperScript script;
  bool is_after_exec = false;
  while (!line.empty()) {
    if (line == "\"$@\"") {
      if (script.words.empty() || script.words.front().starts_with('-')) return std::nullopt;
      return script;
    }
    // A name in quotes, or an equals sign in them, makes a command of it.
    const bool is_assigning = is_assignment(line);
    const std::optional<std::string> word = take_literal(line);
    if (!word) return std::nullopt;
    if (is_after_exec) {
      script.words.push_back(*word);
    } else if (*word == "exec") {
      is_after_exec = true;
    } else if (is_assigning) {
      const std::size_t equals = word->find('=');
      script.assignments.emplace_back(word->substr(0, equals), word->substr(equals + 1));
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The second line of a script that pip or uv wrote for an interpreter whose path is too long, or has blanks.
std::optional<WrapperScript> read_trampoline(std::string_view line) {
  constexpr std::string_view start = "'''exec' ";
  constexpr std::string_view end = " \"$0\" \"$@\"";
  if (!line.starts_with(start) || !line.ends_with(end) || line.size() <= start.size() + end.size())
    return std::nullopt;
  line = line.substr(start.size(), line.size() - start.size() - end.size());
  const std::optional<std::string> word = take_literal(line);
  if (!word || word->starts_with('-') || !line.empty()) return std::nullopt;
  return WrapperScript{.assignments = {}, .words = {*word}, .passes_own_path = true};
}

bool is_harmless(std::string_view line) {
  constexpr std::string_view lines[] = {"", "set -e", "set -eu", "set -u", "set -euo pipefail"};
  return line.starts_with('#') || std::ranges::find(lines, line) != std::end(lines);
}

}  // namespace

std::vector<std::string> interpreter_words(std::string_view start) {
  constexpr std::size_t longest_line = 512;
  if (!start.starts_with("#!")) return {};
  const bool is_whole = start.size() < longest_line;
  const std::string_view line = start.substr(0, longest_line).substr(2);
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  const std::size_t end = line.find_first_of("#\n", first);
  if (end == std::string_view::npos && !is_whole) return {};
  return split_at_blanks(line.substr(0, end));
}

bool may_be_shell_text(std::string_view start) {
  return start.substr(0, start.find('\n')).find('\0') == std::string_view::npos;
}

std::optional<WrapperScript> read_wrapper_script(std::string_view text) {
  std::optional<WrapperScript> script;
  bool is_first = true;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view command = trimmed(line);
    if (is_harmless(command)) continue;
    if (is_first) {
      if (auto trampoline = read_trampoline(command)) return trampoline;
      is_first = false;
    }
    if (script) return std::nullopt;
    script = read_exec(command);
    if (!script) return std::nullopt;
  }
  return script;
}

std::optional<std::string> word_given_to_metal_unlock(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    if (trimmed(line).starts_with('#')) continue;
    std::vector<std::string> words = split_at_blanks(line);
    for (std::string& word : words)
      std::erase_if(word, [](char letter) { return letter == '"' || letter == '\''; });
    const auto program =
        std::ranges::find(words, "metal-unlock", [](const std::string& word) { return file_name(word); });
    if (program == words.end() || program + 1 == words.end() || *(program + 1) != "run") continue;
    auto word = std::find(program + 2, words.end(), "--");
    word = word == words.end()
               ? std::find_if(program + 2, words.end(),
                              [](const std::string& option) { return !option.starts_with('-'); })
               : word + 1;
    if (word != words.end()) return *word;
  }
  return std::nullopt;
}

std::string exec_line(std::string_view text) {
  for (const std::string_view line : lines_of(text))
    if (trimmed(line).starts_with("exec ")) return std::string{trimmed(line)};
  return {};
}

}  // namespace metal_unlock
