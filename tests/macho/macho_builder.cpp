// SPDX-License-Identifier: MIT
#include "tests/macho/macho_builder.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::size_t header_size = 32;
constexpr std::size_t signature_command_size = 16;
constexpr std::size_t slice_unit = 0x4000;
constexpr std::uint32_t slice_unit_log2 = 14;
constexpr std::uint32_t dylib_use_mark = 0x1a741800;

}  // namespace

SliceBuilder::SliceBuilder(Architecture architecture, std::uint32_t file_type, std::uint32_t flags)
    : architecture_(architecture), file_type_(file_type), flags_(flags) {}

SliceBuilder& SliceBuilder::command(std::uint32_t number, std::string_view body) {
  ByteWriter padded;
  padded.text(body).pad_to(8);
  commands_ += ByteWriter{}.little32(number).little32(8 + padded.size()).text(padded.bytes()).bytes();
  ++count_;
  return *this;
}

SliceBuilder& SliceBuilder::segment(std::string_view name, const std::vector<BuiltSection>& sections) {
  constexpr std::uint64_t address = 0x100000000;
  ByteWriter body;
  body.field(name, 16).little64(address).little64(slice_unit).little64(0).little64(header_size);
  body.little32(5).little32(5).little32(sections.size()).little32(0);
  for (const BuiltSection& section : sections) {
    body.field(section.name, 16).field(section.segment, 16).little64(address + header_size).little64(8);
    body.little32(header_size).little32(3).little32(0).little32(0).little32(section.flags);
    body.little32(0).little32(0).little32(0);
  }
  return command(0x19, body.bytes());
}

SliceBuilder& SliceBuilder::dylib(std::uint32_t number, std::string_view path, std::uint32_t current,
                                  std::uint32_t compatible) {
  ByteWriter body;
  body.little32(24).little32(2).little32(current).little32(compatible).text(path).byte(0);
  return command(number, body.bytes());
}

SliceBuilder& SliceBuilder::dylib_use(std::uint32_t number, std::string_view path, std::uint32_t use_flags) {
  ByteWriter body;
  body.little32(28).little32(dylib_use_mark).little32(0x10000).little32(0x10000).little32(use_flags);
  return command(number, body.text(path).byte(0).bytes());
}

SliceBuilder& SliceBuilder::text_command(std::uint32_t number, std::string_view text) {
  return command(number, ByteWriter{}.little32(12).text(text).byte(0).bytes());
}

SliceBuilder& SliceBuilder::build_version(std::uint32_t platform, std::uint32_t minimum, std::uint32_t sdk) {
  return command(0x32, ByteWriter{}.little32(platform).little32(minimum).little32(sdk).little32(0).bytes());
}

SliceBuilder& SliceBuilder::entry_point(std::uint64_t offset, std::uint64_t stack_size) {
  return command(0x80000028, ByteWriter{}.little64(offset).little64(stack_size).bytes());
}

SliceBuilder& SliceBuilder::encryption(std::uint32_t system) {
  return command(0x2c, ByteWriter{}.little32(0x4000).little32(0x1000).little32(system).little32(0).bytes());
}

SliceBuilder& SliceBuilder::signature(std::string blob) {
  signature_ = std::move(blob);
  return *this;
}

std::string SliceBuilder::header(std::size_t command_bytes) const {
  ByteWriter header;
  header.little32(0xfeedfacf).little32(static_cast<std::uint32_t>(architecture_.cpu));
  header.little32(architecture_.subtype).little32(file_type_);
  header.little32(count_ + (signature_.empty() ? 0 : 1)).little32(command_bytes);
  return header.little32(flags_).little32(0).bytes();
}

std::string SliceBuilder::bytes(std::size_t size) const {
  const std::size_t command_bytes = commands_.size() + (signature_.empty() ? 0 : signature_command_size);
  ByteWriter slice;
  slice.text(header(command_bytes)).text(commands_);
  const std::size_t length = std::max(size, header_size + command_bytes);
  const std::size_t signature_at = (length + 15) / 16 * 16;
  if (!signature_.empty())
    slice.little32(0x1d).little32(signature_command_size).little32(signature_at).little32(signature_.size());
  slice.field({}, length - slice.size());
  if (!signature_.empty()) slice.pad_to(16).text(signature_);
  return slice.bytes();
}

std::string fat_file(const std::vector<FatEntry>& slices, bool is_64, bool has_hidden) {
  ByteWriter table;
  ByteWriter content;
  table.big32(is_64 ? 0xcafebabf : 0xcafebabe).big32(slices.size() - (has_hidden ? 1 : 0));
  for (const FatEntry& slice : slices) {
    const std::size_t offset = slice_unit + content.size();
    table.big32(static_cast<std::uint32_t>(slice.architecture.cpu)).big32(slice.architecture.subtype);
    is_64 ? table.big64(offset).big64(slice.bytes.size()) : table.big32(offset).big32(slice.bytes.size());
    table.big32(slice_unit_log2);
    if (is_64) table.big32(0);
    content.text(slice.bytes).pad_to(slice_unit);
  }
  return table.pad_to(slice_unit).text(content.bytes()).bytes();
}

}  // namespace metal_unlock
