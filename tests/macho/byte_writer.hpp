// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace metal_unlock {

/// Numbers of a file, put one after the other.
class ByteWriter {
 public:
  ByteWriter& little32(std::uint64_t number) { return little(number, 4); }
  ByteWriter& little64(std::uint64_t number) { return little(number, 8); }
  ByteWriter& big32(std::uint64_t number) { return big(number, 4); }
  ByteWriter& big64(std::uint64_t number) { return big(number, 8); }
  ByteWriter& byte(unsigned number) { return little(number, 1); }
  ByteWriter& text(std::string_view text);
  /// A text in a field of `width` bytes, filled up with 0.
  ByteWriter& field(std::string_view text, std::size_t width);
  /// Bytes 0 up to the next multiple of `unit`.
  ByteWriter& pad_to(std::size_t unit);

  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  ByteWriter& little(std::uint64_t number, int count);
  ByteWriter& big(std::uint64_t number, int count);

  std::string bytes_;
};

/// Overwrites four bytes of a finished file.
void set_little32(std::string& bytes, std::size_t at, std::uint32_t number);
void set_big32(std::string& bytes, std::size_t at, std::uint32_t number);

}  // namespace metal_unlock
