// SPDX-License-Identifier: MIT
#include "cli/core/shell_word.hpp"

namespace metal_unlock {

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string{text};
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'')
      quoted += "'\\''";
    else
      quoted += letter;
  }
  return quoted + "'";
}

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "'";
}

}  // namespace metal_unlock
