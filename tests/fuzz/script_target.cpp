// SPDX-License-Identifier: MIT
#include "cli/core/target/python.hpp"
#include "cli/core/target/script.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {
namespace {

constexpr std::size_t longest_first_line = 512;

void check_interpreter(std::string_view bytes) {
  const std::vector<std::string> words = interpreter_words(bytes);
  promise(words.empty() || bytes.starts_with("#!"), "only a script names an interpreter");
  std::size_t size = 0;
  for (const std::string& word : words) {
    promise(!word.empty() && word.find_first_of(" \t\n#") == std::string::npos, "a word has no blanks");
    size += word.size();
  }
  promise(size < longest_first_line, "the kernel reads no more than one line");
  if (bytes.size() > longest_first_line)
    promise(interpreter_words(bytes.substr(0, longest_first_line)) == words,
            "what is behind it changes nothing");
}

std::string quoted_for_shell(std::string_view word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string{"'\"'\"'"} : std::string{letter};
  return quoted + "'";
}

std::string wrapper_text(const WrapperScript& script) {
  if (script.passes_own_path)
    return "#!/bin/sh\n'''exec' " + quoted_for_shell(script.words.front()) + " \"$0\" \"$@\"";
  std::string line;
  for (const auto& [name, text] : script.assignments) line += name + "=" + quoted_for_shell(text) + " ";
  line += "exec ";
  for (const std::string& word : script.words) line += quoted_for_shell(word) + " ";
  return line + "\"$@\"\n";
}

void check_wrapper(std::string_view bytes) {
  const auto script = read_wrapper_script(bytes);
  if (!script) return;
  promise(!script->words.empty(), "a wrapper starts a program");
  promise(!script->words.front().starts_with('-'), "an option of exec is no program");
  const auto again = read_wrapper_script(wrapper_text(*script));
  promise(again && *again == *script, "a wrapper that is written reads as it was");
}

}  // namespace

void fuzz_script(std::string_view bytes) {
  check_interpreter(bytes);
  check_wrapper(bytes);
  const std::string line = exec_line(bytes);
  promise(bytes.find(line) != std::string_view::npos && line.find('\n') == std::string::npos,
          "a line of the script is in the script");
  const auto word = word_given_to_metal_unlock(bytes);
  promise(!word || word->size() <= bytes.size(), "a word of the script is in the script");
  static_cast<void>(is_pyenv_shim(bytes));
  promise(may_be_shell_text(bytes) || bytes.find('\0') != std::string_view::npos,
          "a text may be for the shell");
}

}  // namespace metal_unlock
