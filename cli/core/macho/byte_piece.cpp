// SPDX-License-Identifier: MIT
#include "cli/core/macho/byte_piece.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <cstring>

namespace metal_unlock {

bool MemorySource::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (!is_within(offset, into.size(), bytes_.size())) return false;
  if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return true;
}

std::string to_text(const ByteFault& fault) { return formatted("{} (at {:#x})", fault.what, fault.offset); }

std::string_view BytePiece::text(std::uint64_t at, std::uint64_t count) const {
  if (at >= bytes_.size()) return {};
  return std::string_view{bytes_}.substr(at, count);
}

std::uint64_t BytePiece::little(std::uint64_t at, unsigned count) const {
  if (!holds(at, count)) return 0;
  std::uint64_t number = 0;
  for (unsigned i = count; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes_[at + i]);
  return number;
}

std::uint64_t BytePiece::big(std::uint64_t at, unsigned count) const {
  if (!holds(at, count)) return 0;
  std::uint64_t number = 0;
  for (unsigned i = 0; i < count; ++i) number = number << 8 | static_cast<unsigned char>(bytes_[at + i]);
  return number;
}

Result<BytePiece, ByteFault> read_piece(const ByteSource& file, std::uint64_t offset, std::uint64_t size,
                                        std::string_view what) {
  if (!is_within(offset, size, file.size()))
    return ByteFault{ByteFaultKind::out_of_range, offset,
                     formatted("{} ({} bytes) would end behind the file", what, size)};
  std::string bytes(size, '\0');
  if (!file.read(offset, std::as_writable_bytes(std::span{bytes})))
    return ByteFault{ByteFaultKind::unreadable, offset, formatted("{} cannot be read", what)};
  return BytePiece{std::move(bytes), offset};
}

}  // namespace metal_unlock
