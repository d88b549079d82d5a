// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/byte_source.hpp"
#include "cli/core/result.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

/// Whether `count` units from `at` on lie within `total`; no sum in it can overflow.
constexpr bool is_within(std::uint64_t at, std::uint64_t count, std::uint64_t total) {
  return at <= total && count <= total - at;
}

/// A part of a file in memory. A field that lies outside of it reads as 0 and a text as empty, so that no
/// number in foreign bytes can lead a reader astray; where that is a fault, the reader asks `holds` first.
class BytePiece {
 public:
  /// `offset` is where the bytes stand in the file.
  BytePiece(std::string bytes, std::uint64_t offset) : bytes_(std::move(bytes)), offset_(offset) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::uint64_t offset() const { return offset_; }
  bool holds(std::uint64_t at, std::uint64_t count) const { return is_within(at, count, size()); }

  std::uint8_t byte(std::uint64_t at) const { return static_cast<std::uint8_t>(little(at, 1)); }
  std::uint16_t little16(std::uint64_t at) const { return static_cast<std::uint16_t>(little(at, 2)); }
  std::uint32_t little32(std::uint64_t at) const { return static_cast<std::uint32_t>(little(at, 4)); }
  std::uint64_t little64(std::uint64_t at) const { return little(at, 8); }
  std::uint32_t big32(std::uint64_t at) const { return static_cast<std::uint32_t>(big(at, 4)); }
  std::uint64_t big64(std::uint64_t at) const { return big(at, 8); }

  /// The bytes from `at` on, `count` of them or as many as there are.
  std::string_view text(std::uint64_t at, std::uint64_t count) const;

 private:
  std::uint64_t little(std::uint64_t at, unsigned count) const;
  std::uint64_t big(std::uint64_t at, unsigned count) const;

  std::string bytes_;
  std::uint64_t offset_;
};

/// Reads a part of a file; `what` names it in a fault: "the load commands".
Result<BytePiece, ByteFault> read_piece(const ByteSource& file, std::uint64_t offset, std::uint64_t size,
                                        std::string_view what);

}  // namespace metal_unlock
