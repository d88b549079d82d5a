// SPDX-License-Identifier: MIT
#include "cli/core/toml_write.hpp"

#include <cstddef>

namespace metal_unlock {
namespace {

/// Length of the letter that begins a text in UTF-8; 0 where none does. Overlong forms, surrogates and what
/// lies beyond U+10FFFF are none.
std::size_t letter_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_outside = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return is_overlong || is_outside ? 0 : length;
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = letter_length(text);
    const char letter = text.front();
    if (length == 0 || static_cast<unsigned char>(letter) < ' ' || letter == 0x7f) {
      quoted += '?';
    } else {
      if (letter == '"' || letter == '\\') quoted += '\\';
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return quoted + '"';
}

}  // namespace metal_unlock
