// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// As much of a script as is looked at.
inline constexpr std::size_t looked_at = 4096;

/// The words of a script's first line, "#!" left out, as macOS's kernel reads them: at most 512 bytes, up to
/// a newline or '#', split at blanks and tabs. Empty where the file is no script to the kernel.
std::vector<std::string> interpreter_words(std::string_view start);

/// Whether a file without an interpreter line can be meant for the shell: a zero byte in its first line is
/// the mark of a program.
bool may_be_shell_text(std::string_view start);

/// A script that does nothing but start one program with its own arguments.
struct WrapperScript {
  std::vector<std::pair<std::string, std::string>> assignments;
  std::vector<std::string> words;  ///< the program and the arguments before the script's own
  bool passes_own_path = false;    ///< the script itself is the next argument: pip writes such first lines
  bool operator==(const WrapperScript&) const = default;
};

/// Reads a whole script for the shell that consists of one literal `[NAME=…] exec PROGRAM [WORD…] "$@"` and
/// comments, or of pip's `'''exec' PYTHON "$0" "$@"`. Nothing where it does anything else.
std::optional<WrapperScript> read_wrapper_script(std::string_view text);

/// The word that a script gives `metal-unlock run`, where it calls that; else nothing.
std::optional<std::string> word_given_to_metal_unlock(std::string_view text);

/// The first line of a script that starts another program with exec; empty where there is none.
std::string exec_line(std::string_view text);

}  // namespace metal_unlock
