// SPDX-License-Identifier: MIT
#include "tests/macho_loader/slice.hpp"

#include <algorithm>

namespace metal_unlock::macho {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t this_processor = 0x01000007;
constexpr std::uint32_t supported_subtypes[] = {3};
#else
// Not 2, arm64e: its pointers are signed.
constexpr std::uint32_t this_processor = 0x0100000c;
constexpr std::uint32_t supported_subtypes[] = {0, 1};
#endif

constexpr std::uint32_t thin_magic = 0xfeedfacf;
constexpr std::uint32_t universal_magic = 0xcafebabe;
constexpr std::uint32_t required = 0x80000000;
constexpr std::uint32_t segment_is_read_only = 0x10;

std::uint32_t big_endian(View file, std::uint64_t offset) {
  return __builtin_bswap32(file.read<std::uint32_t>(offset));
}

bool is_supported(std::uint32_t processor, std::uint32_t subtype) {
  if (processor != this_processor) return false;
  for (const std::uint32_t supported : supported_subtypes) {
    if ((subtype & 0x00ffffff) == supported) return true;
  }
  return false;
}

std::uint64_t offset_of_slice(View file) {
  if (file.read<std::uint32_t>(0) == thin_magic) return 0;
  const std::uint32_t count = big_endian(file, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t entry = 8 + 20 * std::uint64_t{i};
    if (is_supported(big_endian(file, entry), big_endian(file, entry + 4)))
      return big_endian(file, entry + 8);
  }
  throw LoadError{"it has no slice for this processor"};
}

/// A name of up to 16 characters, without a final zero where it has all of them.
std::string short_name(View command, std::uint64_t offset) {
  char name[17] = {};
  for (std::uint64_t i = 0; i < 16; ++i) name[i] = command.read<char>(offset + i);
  return name;
}

void refuse_unsupported(const Section& section) {
  const bool is_interposing = section.type == 0xd;
  const bool is_thread_local = section.type >= 0x11 && section.type <= 0x15;
  const bool has_classes = section.name.starts_with("__objc_classlist") ||
                           section.name.starts_with("__objc_nlclslist") ||
                           section.name.starts_with("__objc_catlist");
  if (is_interposing || is_thread_local || has_classes)
    throw LoadError{"this loader does not support the section " + section.segment + "," + section.name};
}

void read_segment(View command, Slice& into) {
  into.segments.push_back(
      {.name = short_name(command, 8),
       .address = command.read<std::uint64_t>(24),
       .size = command.read<std::uint64_t>(32),
       .file_offset = command.read<std::uint64_t>(40),
       .file_size = command.read<std::uint64_t>(48),
       .protection = command.read<int>(60) & 7,
       .read_only_after_fixups = (command.read<std::uint32_t>(68) & segment_is_read_only) != 0});
  const auto count = command.read<std::uint32_t>(64);
  for (std::uint32_t i = 0; i < count; ++i) {
    const View header = command.part(72 + 80 * std::uint64_t{i}, 80);
    const Section section{.segment = short_name(header, 16),
                          .name = short_name(header, 0),
                          .address = header.read<std::uint64_t>(32),
                          .size = header.read<std::uint64_t>(40),
                          .type = header.read<std::uint32_t>(64) & 0xff};
    refuse_unsupported(section);
    into.sections.push_back(section);
  }
}

Range range_at(View command, std::uint64_t offset) {
  return {command.read<std::uint32_t>(offset), command.read<std::uint32_t>(offset + 4)};
}

/// Commands without `required` that are not named here matter to debuggers and to the kernel only.
void read_command(std::uint32_t kind, View command, Slice& into) {
  switch (kind) {
    case 0x19:
      return read_segment(command, into);
    case 0x0c:             // LC_LOAD_DYLIB
    case required | 0x1f:  // LC_REEXPORT_DYLIB
    case required | 0x23:  // LC_LOAD_UPWARD_DYLIB
    case required | 0x18:  // LC_LOAD_WEAK_DYLIB
      into.dependencies.push_back({command.text(command.read<std::uint32_t>(8)), kind == (required | 0x18)});
      return;
    case 0x22:
    case required | 0x22:  // LC_DYLD_INFO
      into.opcodes = OpcodeTables{range_at(command, 8), range_at(command, 16), range_at(command, 24),
                                  range_at(command, 32)};
      return;
    case required | 0x28:  // LC_MAIN
      into.main_offset = command.read<std::uint64_t>(8);
      return;
    case required | 0x34:  // LC_DYLD_CHAINED_FIXUPS
      into.chained_fixups = range_at(command, 8);
      return;
    case required | 0x1c:  // LC_RPATH
    case required | 0x33:  // LC_DYLD_EXPORTS_TRIE
      return;
    default:
      if ((kind & required) != 0) throw LoadError{"it has an unknown load command"};
  }
}

}  // namespace

View View::part(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size > size_ - offset) throw LoadError{"it is truncated or malformed"};
  return {start_ + offset, size};
}

std::string View::text(std::uint64_t offset) const {
  std::string result;
  for (char letter; (letter = read<char>(offset++)) != '\0';) result += letter;
  return result;
}

bool is_macho(View file) {
  if (file.size() < 4) return false;
  const auto magic = file.read<std::uint32_t>(0);
  return magic == thin_magic || __builtin_bswap32(magic) == universal_magic;
}

Slice slice_for_this_processor(View file, FileType type) {
  if (!is_macho(file)) throw LoadError{"it is no Mach-O file"};
  Slice slice;
  slice.offset_in_file = offset_of_slice(file);
  slice.bytes = file.part(slice.offset_in_file, file.size() - std::min(file.size(), slice.offset_in_file));
  const View& bytes = slice.bytes;
  if (bytes.read<std::uint32_t>(0) != thin_magic) throw LoadError{"it is truncated or malformed"};
  if (!is_supported(bytes.read<std::uint32_t>(4), bytes.read<std::uint32_t>(8)))
    throw LoadError{"it has no slice for this processor"};
  if (bytes.read<std::uint32_t>(12) != static_cast<std::uint32_t>(type))
    throw LoadError{type == FileType::library ? "it is no dynamic library" : "it is no program"};
  std::uint64_t offset = 32;
  for (auto left = bytes.read<std::uint32_t>(16); left > 0; --left) {
    const auto size = bytes.read<std::uint32_t>(offset + 4);
    if (size < 8) throw LoadError{"it is truncated or malformed"};
    read_command(bytes.read<std::uint32_t>(offset), bytes.part(offset, size), slice);
    offset += size;
  }
  return slice;
}

}  // namespace metal_unlock::macho
