// SPDX-License-Identifier: MIT
#include "cli/text/printable.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {

std::string printable(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n')
      safe += "\\n";
    else if (letter == '\t')
      safe += "\\t";
    else if (code < ' ' || code == 0x7f)
      safe += formatted("\\x{:02x}", code);
    else
      safe += letter;
  }
  return safe;
}

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

}  // namespace metal_unlock
