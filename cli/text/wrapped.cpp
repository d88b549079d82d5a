// SPDX-License-Identifier: MIT
#include "cli/text/wrapped.hpp"

#include "cli/text/table.hpp"

#include <algorithm>

namespace metal_unlock {

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t length = shown_width(word);
    if (column > 0 && column + 1 + length > width) {
      lines += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += length;
    at = end + 1;
  }
  return lines;
}

}  // namespace metal_unlock
