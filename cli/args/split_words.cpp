// SPDX-License-Identifier: MIT
#include "cli/args/split_words.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

const OptionRow* option_named(const CommandRow& command, std::string_view name) {
  const auto row = std::ranges::find_if(command.options, [&](const OptionRow& option) {
    return option.name == name || (!option.letter.empty() && option.letter == name);
  });
  return row == command.options.end() ? nullptr : &*row;
}

Finding unknown_option(const CommandRow& command, const std::string& name) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options) names.emplace_back(option.name);
  const std::string hint = did_you_mean(near_names(name, names, 1));
  const std::string help = formatted("metal-unlock help {}", command.name);
  return {FindingId::usage, formatted("{} has no option '{}'", command.name, name),
          hint.empty() ? help : hint};
}

Finding missing_value(const CommandRow& command, std::string_view name) {
  return {FindingId::usage, formatted("option '{}' needs a value", name),
          formatted("metal-unlock help {}", command.name)};
}

/// Checks one option word; says whether its value is the next word.
Result<bool> takes_next_word(const CommandRow& command, const std::string& word) {
  if (!word.starts_with("--")) {
    // A cluster of letters, "-qv": each must be a flag.
    for (const char letter : word.substr(1)) {
      const std::string name{'-', letter};
      if (option_named(command, name) == nullptr) return unknown_option(command, name);
    }
    return false;
  }
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const OptionRow* option = option_named(command, name);
  if (option == nullptr) return unknown_option(command, name);
  const bool has_value = equals != std::string::npos;
  if (option->value.empty() && has_value)
    return Finding{FindingId::usage, formatted("option '{}' takes no value", name),
                   formatted("metal-unlock help {}", command.name)};
  // CLI11 would take the next word for the value that is missing here.
  if (has_value && equals + 1 == word.size()) return missing_value(command, name);
  return !option->value.empty() && !has_value;
}

}  // namespace

Result<SplitWords> split_words(const CommandRow& command, const std::vector<std::string>& words) {
  const bool stops_at_word =
      command.operands == Operands::command || command.operands == Operands::optional_command;
  SplitWords split;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_option = word.size() > 1 && word.front() == '-';
    if (word == "--" || (!is_option && stops_at_word)) {
      const std::size_t first = i + (word == "--" ? 1 : 0);
      split.rest.insert(split.rest.end(), words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
      return split;
    }
    if (!is_option) {
      split.rest.push_back(word);
      continue;
    }
    const Result<bool> takes_next = takes_next_word(command, word);
    if (!takes_next) return takes_next.finding();
    split.own.push_back(word);
    if (!*takes_next) continue;
    // An empty value is most often a variable that was not set, and an option most often a forgotten value.
    const bool has_value = i + 1 < words.size() && !words[i + 1].empty() && words[i + 1].front() != '-';
    if (!has_value) return missing_value(command, word);
    split.own.push_back(words[++i]);
  }
  return split;
}

}  // namespace metal_unlock
