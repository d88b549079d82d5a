// SPDX-License-Identifier: MIT
#include "cli/core/target/wrappers.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/target/script.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

enum class Form : std::uint8_t {
  prefix,  ///< takes another command as its own last words
  shell,
  make,
  xcrun,
  open,
};

/// A program that starts others.
struct WrapperRow {
  std::string_view name;
  Form form;
  std::string_view letters_with_argument = {};  ///< options whose argument is the next word
  std::size_t own_words = 0;                    ///< words of its own before the command
};

constexpr std::array wrapper_rows{
    WrapperRow{"nohup", Form::prefix},
    WrapperRow{"time", Form::prefix, "of"},
    WrapperRow{"nice", Form::prefix, "n"},
    WrapperRow{"sudo", Form::prefix, "ughpCDRTrt"},
    WrapperRow{"doas", Form::prefix, "uC"},
    WrapperRow{"caffeinate", Form::prefix, "tw"},
    WrapperRow{"timeout", Form::prefix, "ks", 1},
    WrapperRow{"arch", Form::prefix, "e"},
    WrapperRow{"stdbuf", Form::prefix, "ioe"},
    WrapperRow{"xargs", Form::prefix, "EIJLnPRsa"},
    WrapperRow{"script", Form::prefix, "tT", 1},
    WrapperRow{"sh", Form::shell},
    WrapperRow{"bash", Form::shell},
    WrapperRow{"zsh", Form::shell},
    WrapperRow{"dash", Form::shell},
    WrapperRow{"ksh", Form::shell},
    WrapperRow{"csh", Form::shell},
    WrapperRow{"tcsh", Form::shell},
    WrapperRow{"fish", Form::shell},
    WrapperRow{"make", Form::make},
    WrapperRow{"gmake", Form::make},
    WrapperRow{"gnumake", Form::make},
    WrapperRow{"xcrun", Form::xcrun},
    WrapperRow{"open", Form::open},
};

/// Only the programs of the system and of package managers are what their names say.
bool is_of_the_system(std::string_view file) {
  constexpr std::string_view folders[] = {"/bin", "/usr/bin", "/usr/sbin", "/usr/local/bin",
                                          "/opt/homebrew/bin"};
  return std::ranges::find(folders, folder_name(file)) != std::end(folders);
}

const WrapperRow* row_of(std::string_view file) {
  if (!is_of_the_system(file)) return nullptr;
  const auto* const row = std::ranges::find(wrapper_rows, file_name(file), &WrapperRow::name);
  return row == wrapper_rows.end() ? nullptr : row;
}

/// Where the command begins among the words of a prefix; the number of words where there is none.
std::size_t command_start(const WrapperRow& row, std::span<const std::string> argv) {
  std::size_t at = 1;
  for (; at < argv.size() && argv[at].starts_with('-') && argv[at].size() > 1; ++at) {
    if (argv[at] == "--") {
      ++at;
      break;
    }
    const bool takes_next =
        argv[at].size() == 2 && row.letters_with_argument.find(argv[at][1]) != std::string::npos;
    if (takes_next) ++at;
  }
  return std::min(argv.size(), at + row.own_words);
}

std::string words_text(std::span<const std::string> words) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    text += (i == 0 ? "" : " ") + shell_word(words[i]);
  return words.size() > most ? text + " …" : text;
}

std::string next_of(const WrapperRow& row, std::span<const std::string> argv) {
  switch (row.form) {
    case Form::prefix: {
      const std::size_t start = command_start(row, argv);
      if (start >= argv.size()) return formatted("{} metal-unlock run -- COMMAND", row.name);
      return formatted("{} metal-unlock run -- {}", words_text(argv.first(start)),
                       words_text(argv.subspan(start)));
    }
    case Form::shell:
      return formatted("put metal-unlock inside: {} -c 'metal-unlock run -- COMMAND'", row.name);
    case Form::make:
      return "put metal-unlock into the recipe: metal-unlock run -- COMMAND";
    case Form::xcrun:
      return formatted("metal-unlock run -- \"$(xcrun -f {})\"",
                       argv.size() > 1 ? shell_word(argv.back()) : "TOOL");
    case Form::open:
      break;
  }
  const auto bundle = std::ranges::find_if(
      argv, [](const std::string& word) { return word.find(".app") != std::string::npos; });
  return formatted("start the application's folder itself: metal-unlock run -- {}",
                   bundle == argv.end() ? "/Applications/NAME.app" : shell_word(*bundle));
}

}  // namespace

bool is_env(std::string_view file) {
  return is_of_the_system(file) && (file_name(file) == "env" || file_name(file) == "genv");
}

std::optional<Wrapper> wrapper_of(std::string_view file, std::span<const std::string> argv) {
  const WrapperRow* row = row_of(file);
  if (row == nullptr) return std::nullopt;
  return Wrapper{std::string{row->name}, next_of(*row, argv), row->form == Form::shell};
}

Wrapper script_wrapper(std::string_view script, std::string_view text) {
  const std::string line = exec_line(text);
  const std::string where =
      line.empty() ? "before the program that uses Metal" : formatted("in its line: {}", line);
  return {std::string{file_name(script)},
          formatted("put metal-unlock run -- into {}, {}", shell_word(script), where), true};
}

}  // namespace metal_unlock
