// SPDX-License-Identifier: MIT
#include "cli/text/printable.hpp"

#include "cli/core/text_format.hpp"

namespace metal_unlock {
namespace {

/// Bytes of the UTF-8 letter at the front; 0 where there is none. Beside the form this checks the second
/// byte, which keeps out letters written longer than need be, surrogates, and what is beyond Unicode.
std::size_t letter_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  return length;
}

/// Control characters are those of ASCII and, in two bytes, U+0080 to U+009F.
bool is_control(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter.front());
  if (letter.size() == 1) return first < ' ' || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(letter[1]) < 0xa0;
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  std::string text;
  for (const char byte : bytes) text += formatted("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = letter_length(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(1, length));
    if (length == 0 || is_control(letter))
      safe += escaped(letter);
    else
      safe += letter;
    text.remove_prefix(letter.size());
  }
  return safe;
}

}  // namespace metal_unlock
