// SPDX-License-Identifier: MIT
#include "tests/macos_files/image.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint32_t chained_fixups = 0x80000034;
constexpr std::uint16_t pointer_64 = 2;         // targets are addresses
constexpr std::uint16_t pointer_64_offset = 6;  // targets are offsets from the image's start
constexpr std::uint16_t page_without_pointers = 0xffff;
constexpr std::uint64_t pointer_unit = 4;

std::uint64_t bits(std::uint64_t number, unsigned from, unsigned count) {
  return number >> from & ((std::uint64_t{1} << count) - 1);
}

/// A pointer to a library counts from 1; what is not a library of the image has no place in our files.
std::string library_of(const Image& image, std::uint64_t ordinal) {
  if (ordinal == 0 || ordinal > image.slice.dylibs.size()) throw BrokenImage("an import from no library");
  return image.slice.dylibs[ordinal - 1].path;
}

std::vector<Import> read_imports(const Image& image, ByteRange range) {
  const auto& bytes = image.bytes;
  const std::uint32_t count = bytes.little32(range.offset + 16);
  const std::uint64_t table = range.offset + bytes.little32(range.offset + 8);
  const std::uint64_t names = range.offset + bytes.little32(range.offset + 12);
  if (bytes.little32(range.offset + 20) != 1) throw BrokenImage("imports in an unusual form");
  if (!bytes.holds(table, std::uint64_t{count} * 4)) throw BrokenImage("imports outside of the slice");
  std::vector<Import> imports;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t packed = bytes.little32(table + i * 4);
    const std::uint64_t name = names + bits(packed, 9, 23);
    if (name >= range.offset + range.size) throw BrokenImage("an import's name outside of the fixups");
    const std::string_view text = bytes.text(name, range.offset + range.size - name);
    imports.push_back({std::string{text.substr(0, text.find('\0'))}, library_of(image, bits(packed, 0, 8)),
                       bits(packed, 8, 1) != 0});
  }
  return imports;
}

/// The chain of pointers that begins at an offset of the slice.
void read_chain(const Image& image, std::uint16_t format, std::uint64_t at, std::uint64_t address,
                std::vector<Fixup>& into) {
  const std::uint64_t base = format == pointer_64_offset ? image.slice.segments.front().address : 0;
  while (true) {
    if (!image.bytes.holds(at, 8)) throw BrokenImage("a pointer outside of the slice");
    const std::uint64_t pointer = image.bytes.little64(at);
    const bool is_import = bits(pointer, 63, 1) != 0;
    into.push_back({address, is_import, is_import ? bits(pointer, 0, 24) : base + bits(pointer, 0, 36)});
    const std::uint64_t step = bits(pointer, 51, 12) * pointer_unit;
    if (step == 0) return;
    at += step;
    address += step;
  }
}

void read_segment_chains(const Image& image, std::uint64_t starts, const Segment& segment,
                         std::vector<Fixup>& into) {
  const std::uint16_t page_size = image.bytes.little16(starts + 4);
  const std::uint16_t format = image.bytes.little16(starts + 6);
  const std::uint16_t pages = image.bytes.little16(starts + 20);
  if (format != pointer_64 && format != pointer_64_offset) throw BrokenImage("pointers in an unusual form");
  for (std::uint64_t page = 0; page < pages; ++page) {
    const std::uint16_t first = image.bytes.little16(starts + 22 + page * 2);
    if (first == page_without_pointers) continue;
    if (first >= page_size) throw BrokenImage("a chain that begins outside of its page");
    const std::uint64_t offset = page * page_size + first;
    read_chain(image, format, segment.file_offset + offset, segment.address + offset, into);
  }
}

}  // namespace

Fixups read_fixups(const Image& image) {
  const ByteRange range = linked_data(image, chained_fixups);
  if (range.size < 28) throw BrokenImage("there are no chained fixups");
  Fixups fixups{read_imports(image, range), {}};
  const std::uint64_t starts = range.offset + image.bytes.little32(range.offset + 4);
  const std::uint32_t segments = image.bytes.little32(starts);
  if (segments > image.slice.segments.size()) throw BrokenImage("fixups of more segments than there are");
  for (std::uint32_t i = 0; i < segments; ++i) {
    const std::uint32_t offset = image.bytes.little32(starts + 4 + std::uint64_t{i} * 4);
    if (offset != 0) read_segment_chains(image, starts + offset, image.slice.segments[i], fixups.pointers);
  }
  for (const Fixup& fixup : fixups.pointers)
    if (fixup.is_import && fixup.target >= fixups.imports.size())
      throw BrokenImage("a pointer to an import that is none");
  return fixups;
}

}  // namespace metal_unlock
