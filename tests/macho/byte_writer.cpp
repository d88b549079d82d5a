// SPDX-License-Identifier: MIT
#include "tests/macho/byte_writer.hpp"

namespace metal_unlock {

ByteWriter& ByteWriter::text(std::string_view text) {
  bytes_ += text;
  return *this;
}

ByteWriter& ByteWriter::field(std::string_view text, std::size_t width) {
  bytes_ += text.substr(0, width);
  bytes_.append(width - text.substr(0, width).size(), '\0');
  return *this;
}

ByteWriter& ByteWriter::pad_to(std::size_t unit) {
  bytes_.append((unit - bytes_.size() % unit) % unit, '\0');
  return *this;
}

ByteWriter& ByteWriter::little(std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(number >> 8 * i & 0xff);
  return *this;
}

ByteWriter& ByteWriter::big(std::uint64_t number, int count) {
  for (int i = count; i-- > 0;) bytes_ += static_cast<char>(number >> 8 * i & 0xff);
  return *this;
}

void set_little32(std::string& bytes, std::size_t at, std::uint32_t number) {
  bytes.replace(at, 4, ByteWriter{}.little32(number).bytes());
}

void set_big32(std::string& bytes, std::size_t at, std::uint32_t number) {
  bytes.replace(at, 4, ByteWriter{}.big32(number).bytes());
}

}  // namespace metal_unlock
