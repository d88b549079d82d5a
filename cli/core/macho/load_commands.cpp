// SPDX-License-Identifier: MIT
#include "cli/core/macho/load_commands.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint64_t segment_size = 72;
constexpr std::uint64_t section_size = 80;
constexpr std::uint64_t dylib_size = 24;
constexpr std::uint64_t dylib_use_size = 28;
constexpr std::uint64_t text_command_size = 12;
constexpr std::uint32_t dylib_use_mark = 0x1a741800;  // where an older linker wrote a time stamp

/// One command, its fields by their offset in it.
struct CommandBytes {
  const BytePiece& piece;
  std::uint64_t at;
  std::uint32_t size;

  std::uint32_t command() const { return piece.little32(at); }
  std::uint32_t word(std::uint64_t field) const { return piece.little32(at + field); }
  std::uint64_t long_word(std::uint64_t field) const { return piece.little64(at + field); }
  std::uint64_t file_offset(std::uint64_t field = 0) const { return piece.offset() + at + field; }

  std::string name(std::uint64_t field) const {
    const std::string_view text = piece.text(at + field, 16);
    return std::string{text.substr(0, text.find('\0'))};
  }
  MachVersion version(std::uint64_t field) const {
    const std::uint32_t packed = word(field);
    return {static_cast<std::uint16_t>(packed >> 16), static_cast<std::uint8_t>(packed >> 8),
            static_cast<std::uint8_t>(packed)};
  }
  ByteFault fault(std::uint64_t field, std::string what,
                  ByteFaultKind kind = ByteFaultKind::malformed) const {
    return {kind, file_offset(field), std::move(what)};
  }
};

using Fault = std::optional<ByteFault>;

/// The text whose place in the command is in `field`; it ends with the command where no byte 0 ends it.
Fault read_text(const CommandBytes& command, std::uint64_t field, std::uint64_t fixed_size,
                std::string& into) {
  const std::uint32_t begin = command.word(field);
  if (begin < fixed_size || begin >= command.size)
    return command.fault(field, formatted("a text at {} of a command of {} bytes", begin, command.size),
                         ByteFaultKind::out_of_range);
  const std::string_view text = command.piece.text(command.at + begin, command.size - begin);
  into = text.substr(0, text.find('\0'));
  return std::nullopt;
}

Fault read_segment(const CommandBytes& command, Slice& slice) {
  Segment segment{command.name(8),
                  command.long_word(24),
                  command.long_word(32),
                  command.long_word(40),
                  command.long_word(48),
                  command.word(60),
                  {}};
  if (!is_within(segment.file_offset, segment.file_size, slice.size))
    return command.fault(40, formatted("segment '{}' would end behind the slice", segment.name),
                         ByteFaultKind::out_of_range);
  const std::uint32_t count = command.word(64);
  if (count > (command.size - segment_size) / section_size)
    return command.fault(64, formatted("{} sections in a command of {} bytes", count, command.size),
                         ByteFaultKind::out_of_range);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t field = segment_size + i * section_size;
    segment.sections.push_back({command.name(field + 16), command.name(field), command.long_word(field + 32),
                                command.long_word(field + 40), command.word(field + 48),
                                command.word(field + 64)});
  }
  slice.segments.push_back(std::move(segment));
  return std::nullopt;
}

DylibUse use_of(std::uint32_t use_flags) {
  if ((use_flags & 2) != 0) return DylibUse::reexported;
  if ((use_flags & 4) != 0) return DylibUse::upward;
  if ((use_flags & 8) != 0) return DylibUse::delayed;
  return (use_flags & 1) != 0 ? DylibUse::weak : DylibUse::required;
}

Fault read_dylib(const CommandBytes& command, DylibUse use, Dylib& into) {
  into.use = use;
  into.current = command.version(16);
  into.compatible = command.version(20);
  const bool has_flags = (use == DylibUse::required || use == DylibUse::weak) &&
                         command.word(12) == dylib_use_mark && command.size >= dylib_use_size;
  if (has_flags) into.use = use_of(command.word(24));
  return read_text(command, 8, has_flags ? dylib_use_size : dylib_size, into.path);
}

template <DylibUse use>
Fault add_dylib(const CommandBytes& command, Slice& slice) {
  return read_dylib(command, use, slice.dylibs.emplace_back());
}

template <class Value>
Fault repeated(const CommandBytes& command, const std::optional<Value>& value) {
  if (!value) return std::nullopt;
  return command.fault(0, formatted("command {:#x} for the second time", command.command()));
}

Fault read_install_name(const CommandBytes& command, Slice& slice) {
  if (auto fault = repeated(command, slice.install_name)) return fault;
  return read_dylib(command, DylibUse::required, slice.install_name.emplace());
}

Fault read_loader(const CommandBytes& command, Slice& slice) {
  return read_text(command, 8, text_command_size, slice.loader);
}

Fault add_rpath(const CommandBytes& command, Slice& slice) {
  return read_text(command, 8, text_command_size, slice.rpaths.emplace_back());
}

Fault add_loader_environment(const CommandBytes& command, Slice& slice) {
  return read_text(command, 8, text_command_size, slice.loader_environment.emplace_back());
}

Fault add_build_version(const CommandBytes& command, Slice& slice) {
  slice.builds.push_back({Platform{command.word(8)}, command.version(12), command.version(16)});
  return std::nullopt;
}

template <Platform platform>
Fault add_minimum_version(const CommandBytes& command, Slice& slice) {
  slice.builds.push_back({platform, command.version(8), command.version(12)});
  return std::nullopt;
}

Fault read_entry_point(const CommandBytes& command, Slice& slice) {
  if (auto fault = repeated(command, slice.entry_point)) return fault;
  slice.entry_point = EntryPoint{command.long_word(8), command.long_word(16)};
  return std::nullopt;
}

Fault read_encryption(const CommandBytes& command, Slice& slice) {
  if (auto fault = repeated(command, slice.encryption)) return fault;
  slice.encryption = Encryption{{command.word(8), command.word(12)}, command.word(16)};
  return std::nullopt;
}

Fault read_signature_range(const CommandBytes& command, Slice& slice) {
  if (auto fault = repeated(command, slice.signature_range)) return fault;
  slice.signature_range = ByteRange{command.word(8), command.word(12)};
  return std::nullopt;
}

struct CommandRule {
  std::uint32_t command;
  std::uint64_t fixed_size;
  Fault (*read)(const CommandBytes&, Slice&);
};

constexpr CommandRule rules[] = {
    {0x19, segment_size, read_segment},
    {0xc, dylib_size, add_dylib<DylibUse::required>},
    {0x80000018, dylib_size, add_dylib<DylibUse::weak>},
    {0x8000001f, dylib_size, add_dylib<DylibUse::reexported>},
    {0x20, dylib_size, add_dylib<DylibUse::lazy>},
    {0x80000023, dylib_size, add_dylib<DylibUse::upward>},
    {0xd, dylib_size, read_install_name},
    {0xe, text_command_size, read_loader},
    {0x8000001c, text_command_size, add_rpath},
    {0x27, text_command_size, add_loader_environment},
    {0x32, 24, add_build_version},
    {0x24, 16, add_minimum_version<Platform::macos>},
    {0x25, 16, add_minimum_version<Platform::ios>},
    {0x80000028, 24, read_entry_point},
    {0x2c, 20, read_encryption},
    {0x1d, 16, read_signature_range},
};

Fault read_command(const CommandBytes& command, Slice& slice) {
  const auto* rule = std::ranges::find(rules, command.command(), &CommandRule::command);
  if (rule == std::end(rules)) return std::nullopt;
  if (command.size < rule->fixed_size)
    return command.fault(4, formatted("command {:#x} has {} bytes and needs {}", rule->command, command.size,
                                      rule->fixed_size));
  return rule->read(command, slice);
}

}  // namespace

std::optional<ByteFault> read_load_commands(const BytePiece& commands, std::uint32_t count, Slice& slice) {
  constexpr std::uint32_t smallest_command = 8;
  std::uint64_t at = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const CommandBytes command{commands, at, commands.little32(at + 4)};
    if (!commands.holds(at, smallest_command) || !commands.holds(at, command.size))
      return command.fault(0, formatted("load command {} would end behind the load commands", i),
                           ByteFaultKind::out_of_range);
    if (command.size < smallest_command || command.size % 4 != 0)
      return command.fault(4, formatted("load command {} has a size of {} bytes", i, command.size));
    slice.commands.push_back({command.command(), command.size, command.file_offset()});
    if (auto fault = read_command(command, slice)) return fault;
    at += command.size;
  }
  return std::nullopt;
}

}  // namespace metal_unlock
