// SPDX-License-Identifier: MIT
#include "cli/text/table.hpp"

#include <algorithm>

namespace metal_unlock {

std::size_t shown_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
      continue;
    }
    const bool continues_a_letter = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    if (!continues_a_letter) ++width;
  }
  return width;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (column == widths.size()) widths.push_back(0);
      widths[column] = std::max(widths[column], shown_width(row[column]));
    }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      if (column + 1 < row.size()) line.append(widths[column] - shown_width(row[column]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace metal_unlock
