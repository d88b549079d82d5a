// SPDX-License-Identifier: MIT
#include "cli/text/printable.hpp"

#include "cli/core/text_format.hpp"

namespace metal_unlock {

std::string printable(std::string_view text) {
  std::string safe;
  for (const unsigned char letter : text) {
    if (letter == '\n')
      safe += "\\n";
    else if (letter == '\t')
      safe += "\\t";
    else if (letter < ' ' || letter == 0x7f)
      safe += formatted("\\x{:02x}", letter);
    else
      safe += static_cast<char>(letter);
  }
  return safe;
}

}  // namespace metal_unlock
