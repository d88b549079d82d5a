// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "cli/args/parse.hpp"
#include "cli/args/split_words.hpp"
#include "cli/core/launch_agent.hpp"
#include "cli/core/target/env_words.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

using Words = std::vector<std::string>;

Words words_between(std::string_view bytes, char separator) {
  Words words;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find(separator);
    words.emplace_back(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return words;
}

/// Whether the words of `part` stand in `whole` in that order.
bool is_in_order(const Words& part, const Words& whole) {
  auto at = whole.begin();
  for (const std::string& word : part) {
    at = std::find(at, whole.end(), word);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

bool is_end_of(const Words& part, const Words& whole) {
  return part.size() <= whole.size() && std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

void check_split(const CommandRow& row, const Words& words) {
  const auto split = split_words(row, words);
  if (!split) return;
  const std::size_t count = split->own.size() + split->rest.size();
  const bool has_separator = std::ranges::find(words, "--") != words.end();
  promise(count == words.size() || (has_separator && count + 1 == words.size()), "no word is lost");
  promise(is_in_order(split->own, words) && is_in_order(split->rest, words), "the order of words stays");
  if (row.operands != Operands::command && row.operands != Operands::optional_command) return;
  promise(is_end_of(split->rest, words), "a target's words are the last ones");
  promise(std::equal(split->own.begin(), split->own.end(), words.begin()),
          "a command's own words are the first ones");
}

std::string quoted_for_env(std::string_view word) {
  std::string quoted = "'";
  for (const char letter : word) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "' ";
}

std::size_t size_of_words(const Words& words) {
  std::size_t size = words.size();
  for (const std::string& word : words) size += word.size();
  return size;
}

}  // namespace

/// The words of a command line, with a byte 0 between them as in a process.
void fuzz_argv(std::string_view bytes) {
  const Words words = words_between(bytes, '\0');
  const auto command = parse_command(words);
  if (!command) promise_told(command.finding(), bytes);
  if (command && std::holds_alternative<RunCommand>(*command))
    promise(is_end_of(std::get<RunCommand>(*command).target, words),
            "a target's words are passed on as they are");
  if (words.empty()) return;
  if (const CommandRow* row = command_row(words.front())) check_split(*row, {words.begin() + 1, words.end()});
}

/// A line that is the value of ${A}, and then what follows `env -S`.
void fuzz_env_words(std::string_view bytes) {
  const std::string_view known = bytes.substr(0, bytes.find('\n'));
  const std::string_view text = bytes.substr(std::min(bytes.size(), known.size() + 1));
  const Environment environment{{"A=" + std::string{known}, "B=b"}};
  if (const auto words = split_env_string(text, environment)) {
    const auto references = static_cast<std::size_t>(std::ranges::count(text, '$'));
    promise(size_of_words(*words) <= text.size() + 1 + references * (known.size() + 1),
            "words are as long as the text");
    std::string quoted;
    for (const std::string& word : *words) quoted += quoted_for_env(word);
    promise(split_env_string(quoted, environment) == words, "words in quotes read as they were");
  }
  const auto call = read_env_words(Words{"-S" + std::string{text}, "end"}, environment);
  if (!call) return;
  promise(call->command.empty() || call->command.back() == "end", "what follows env's text is its last word");
  promise(size_of_words(call->command) < (1 << 20), "a short text never becomes a long one");
  for (const auto& [name, value] : call->change.set)
    promise(!name.empty() && name.find('=') == std::string::npos, "a variable has a name");
}

void fuzz_agent_state(std::string_view bytes) {
  const AgentState state = read_agent_state(bytes);
  for (const std::string* text : {&state.file, &state.state, &state.pid, &state.last_exit})
    promise(bytes.find(*text) != std::string_view::npos && text->find('\n') == std::string::npos,
            "a field is part of a line");
}

}  // namespace metal_unlock
