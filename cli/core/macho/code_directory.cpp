// SPDX-License-Identifier: MIT
#include "cli/core/macho/code_directory.hpp"

#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint64_t smallest_header = 44;
constexpr std::uint64_t largest_header = 96;  // what is behind it is not looked at
constexpr std::uint64_t longest_text = 1024;
constexpr std::uint8_t largest_page_size_log2 = 20;

// The versions that brought fields.
constexpr std::uint32_t with_team = 0x20200;
constexpr std::uint32_t with_long_limit = 0x20300;
constexpr std::uint32_t with_exec_segment = 0x20400;
constexpr std::uint32_t with_runtime = 0x20500;

std::optional<HashKind> hash_kind(std::uint8_t number) {
  switch (number) {
    case 1:
      return HashKind::sha1;
    case 2:
      return HashKind::sha256;
    case 3:
      return HashKind::sha256_truncated;
    case 4:
      return HashKind::sha384;
    default:
      return std::nullopt;
  }
}

std::uint64_t header_size(std::uint32_t version) {
  if (version >= with_runtime) return 96;
  if (version >= with_exec_segment) return 88;
  if (version >= with_long_limit) return 64;
  return version >= with_team ? 52 : smallest_header;
}

Result<std::string, ByteFault> read_text(const ByteSource& file, const SignatureBlob& blob, std::uint32_t at,
                                         std::string_view what) {
  if (at < smallest_header || at >= blob.length)
    return ByteFault{ByteFaultKind::out_of_range, blob.offset,
                     formatted("{} at {} of a CodeDirectory of {} bytes", what, at, blob.length)};
  const std::uint64_t size = std::min<std::uint64_t>(blob.length - at, longest_text);
  const auto piece = read_piece(file, blob.offset + at, size, what);
  if (!piece) return piece.fault();
  const std::string_view text = piece->text(0, size);
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos)
    return ByteFault{ByteFaultKind::malformed, blob.offset + at, formatted("{} does not end", what)};
  return std::string{text.substr(0, end)};
}

std::optional<ByteFault> read_hashes(const BytePiece& header, std::uint32_t length,
                                     CodeDirectory& directory) {
  const auto hash = hash_kind(header.byte(37));
  if (!hash || header.byte(36) != size_of(*hash))
    return ByteFault{ByteFaultKind::malformed, header.offset() + 36,
                     formatted("hashes of kind {} with {} bytes", header.byte(37), header.byte(36))};
  directory.hash = *hash;
  directory.hash_size = header.byte(36);
  const std::uint32_t at = header.big32(16);
  directory.special_slots = header.big32(24);
  directory.code_slots = header.big32(28);
  directory.hashes_offset = directory.offset + at;
  const std::uint64_t before = std::uint64_t{directory.special_slots} * directory.hash_size;
  const std::uint64_t behind = std::uint64_t{directory.code_slots} * directory.hash_size;
  if (before > at || !is_within(at, behind, length))
    return ByteFault{ByteFaultKind::out_of_range, header.offset() + 16,
                     formatted("{} + {} hashes around {} of a CodeDirectory of {} bytes",
                               directory.special_slots, directory.code_slots, at, length)};
  directory.page_size_log2 = header.byte(39);
  if (directory.page_size_log2 > largest_page_size_log2)
    return ByteFault{ByteFaultKind::malformed, header.offset() + 39,
                     formatted("pages of 2^{} bytes", directory.page_size_log2)};
  return std::nullopt;
}

void read_later_fields(const BytePiece& header, CodeDirectory& directory) {
  directory.code_limit = header.big32(32);
  if (directory.version >= with_long_limit && header.big64(56) != 0) directory.code_limit = header.big64(56);
  if (directory.version >= with_exec_segment) directory.exec_segment_flags = header.big64(80);
  if (directory.version >= with_runtime) directory.runtime_version = header.big32(88);
}

}  // namespace

std::uint8_t size_of(HashKind hash) {
  switch (hash) {
    case HashKind::sha1:
    case HashKind::sha256_truncated:
      return 20;
    case HashKind::sha256:
      return 32;
    case HashKind::sha384:
      break;
  }
  return 48;
}

Result<CodeDirectory, ByteFault> read_code_directory(const ByteSource& file, const SignatureBlob& blob) {
  if (blob.magic != code_directory_magic)
    return ByteFault{ByteFaultKind::malformed, blob.offset,
                     formatted("a CodeDirectory that begins with {:#010x}", blob.magic)};
  const auto header = read_piece(file, blob.offset, std::min<std::uint64_t>(blob.length, largest_header),
                                 "the CodeDirectory");
  if (!header) return header.fault();
  CodeDirectory directory;
  directory.offset = blob.offset;
  directory.length = blob.length;
  directory.version = header->big32(8);
  if (blob.length < header_size(directory.version))
    return ByteFault{
        ByteFaultKind::out_of_range, blob.offset + 4,
        formatted("a CodeDirectory of version {:#x} with {} bytes", directory.version, blob.length)};
  directory.flags.bits = header->big32(12);
  directory.platform = header->byte(38);
  if (auto fault = read_hashes(*header, blob.length, directory)) return *std::move(fault);
  read_later_fields(*header, directory);
  auto identifier = read_text(file, blob, header->big32(20), "the identifier");
  if (!identifier) return identifier.fault();
  directory.identifier = *std::move(identifier);
  const std::uint32_t team_at = directory.version >= with_team ? header->big32(48) : 0;
  if (team_at == 0) return directory;
  auto team = read_text(file, blob, team_at, "the team");
  if (!team) return team.fault();
  directory.team = *std::move(team);
  return directory;
}

}  // namespace metal_unlock
