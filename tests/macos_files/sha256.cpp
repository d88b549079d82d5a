// SPDX-License-Identifier: MIT
#include "tests/macos_files/sha256.hpp"

#include "cli/core/sha256.hpp"

namespace metal_unlock {

std::string sha256(std::string_view text) {
  const std::string digits = sha256_of(text);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string in_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    text += {digits[number >> 4U], digits[number & 0xfU]};
  }
  return text;
}

}  // namespace metal_unlock
