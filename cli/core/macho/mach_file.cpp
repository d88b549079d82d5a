// SPDX-License-Identifier: MIT
#include "cli/core/macho/mach_file.hpp"

#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/load_commands.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint32_t fat_magic = 0xcafebabe;  // also of a Java class, whose second word is at least 45
constexpr std::uint32_t fat_magic_64 = 0xcafebabf;
constexpr std::uint32_t most_fat_entries = 30;
constexpr std::uint64_t fat_header_size = 8;
constexpr std::uint64_t fat_entry_size = 20;
constexpr std::uint64_t fat_entry_size_64 = 32;

constexpr std::uint32_t mach_magic_64 = 0xfeedfacf;
constexpr std::uint32_t mach_magic_32 = 0xfeedface;
constexpr std::uint32_t swapped_magic_64 = 0xcffaedfe;
constexpr std::uint32_t swapped_magic_32 = 0xcefaedfe;
constexpr std::uint64_t mach_header_size = 32;
constexpr std::uint64_t short_header_size = 28;
constexpr std::uint32_t most_commands = 10'000;
constexpr std::uint32_t most_command_bytes = 1 << 20;

bool is_same_machine(Architecture left, Architecture right) {
  return left.cpu == right.cpu && (left.subtype & ~feature_bits) == (right.subtype & ~feature_bits);
}

/// The kinds of Mach-O that are recognised and not read: 32 bits, or of a big-endian processor.
std::optional<ByteFault> unsupported(const BytePiece& header, Architecture& architecture) {
  const std::uint32_t magic = header.little32(0);
  const bool is_swapped = magic == swapped_magic_32 || magic == swapped_magic_64;
  if (magic != mach_magic_32 && !is_swapped) return std::nullopt;
  const auto field = [&](std::uint64_t at) { return is_swapped ? header.big32(at) : header.little32(at); };
  architecture = {CpuType{field(4)}, field(8)};
  return ByteFault{ByteFaultKind::unsupported, header.offset(),
                   formatted("a program for {}, which no Mac of today runs", to_text(architecture))};
}

std::optional<ByteFault> read_header(const BytePiece& header, Slice& slice) {
  const Architecture announced = slice.architecture;
  if (auto fault = unsupported(header, slice.architecture)) return fault;
  const std::uint64_t at = header.offset();
  if (header.little32(0) != mach_magic_64)
    return ByteFault{ByteFaultKind::not_mach_o, at,
                     formatted("no Mach-O header, but the word {:#010x}", header.little32(0))};
  if (header.size() < mach_header_size)
    return ByteFault{ByteFaultKind::out_of_range, at, "the header would end behind the slice"};
  slice.architecture = {CpuType{header.little32(4)}, header.little32(8)};
  slice.type = MachFileType{header.little32(12)};
  slice.flags = header.little32(24);
  if (announced.cpu != CpuType{} && !is_same_machine(announced, slice.architecture))
    return ByteFault{
        ByteFaultKind::malformed, at + 4,
        formatted("the fat header says {}, the slice {}", to_text(announced), to_text(slice.architecture))};
  return std::nullopt;
}

std::optional<ByteFault> read_commands(const ByteSource& file, const BytePiece& header, Slice& slice) {
  const std::uint32_t count = header.little32(16);
  const std::uint32_t size = header.little32(20);
  if (count > most_commands || size > most_command_bytes)
    return ByteFault{ByteFaultKind::too_large, slice.offset + 16,
                     formatted("{} load commands of {} bytes", count, size)};
  if (!is_within(mach_header_size, size, slice.size))
    return ByteFault{ByteFaultKind::out_of_range, slice.offset + 20,
                     formatted("load commands of {} bytes would end behind the slice", size)};
  const auto commands = read_piece(file, slice.offset + mach_header_size, size, "the load commands");
  if (!commands) return commands.fault();
  return read_load_commands(*commands, count, slice);
}

void read_signature(const ByteSource& file, Slice& slice) {
  if (!slice.signature_range) return;
  const auto [offset, size] = *slice.signature_range;
  if (!is_within(offset, size, slice.size)) {
    slice.signature_fault = ByteFault{ByteFaultKind::out_of_range, slice.offset + offset,
                                      formatted("a signature of {} bytes would end behind the slice", size)};
    return;
  }
  auto signature = read_code_signature(file, slice.offset + offset, size);
  if (signature)
    slice.signature = *std::move(signature);
  else
    slice.signature_fault = signature.fault();
}

/// Reads what the slice's place in the file leads to.
void read_slice(const ByteSource& file, Slice& slice) {
  if (!is_within(slice.offset, slice.size, file.size())) {
    slice.fault = ByteFault{ByteFaultKind::out_of_range, slice.offset,
                            formatted("a slice of {} bytes would end behind the file", slice.size)};
    return;
  }
  if (slice.size < short_header_size) {
    slice.fault = ByteFault{ByteFaultKind::not_mach_o, slice.offset,
                            formatted("{} bytes are no Mach-O file", slice.size)};
    return;
  }
  const auto header = read_piece(file, slice.offset, std::min(slice.size, mach_header_size), "the header");
  if (!header) {
    slice.fault = header.fault();
    return;
  }
  slice.fault = read_header(*header, slice);
  if (!slice.fault) slice.fault = read_commands(file, *header, slice);
  if (!slice.fault) read_signature(file, slice);
}

Slice fat_entry(const BytePiece& table, std::uint64_t at, bool is_64) {
  Slice slice;
  slice.architecture = {CpuType{table.big32(at)}, table.big32(at + 4)};
  slice.offset = is_64 ? table.big64(at + 8) : table.big32(at + 8);
  slice.size = is_64 ? table.big64(at + 16) : table.big32(at + 12);
  slice.alignment_log2 = is_64 ? table.big32(at + 24) : table.big32(at + 16);
  return slice;
}

/// dyld looks one entry further than the header counts: old tools hid an arm64 slice there from old systems.
void add_hidden_slice(const ByteSource& file, std::uint64_t at, std::vector<Slice>& slices) {
  if (!is_within(at, fat_entry_size, file.size())) return;
  const auto entry = read_piece(file, at, fat_entry_size, "the entry behind the last slice");
  if (!entry || CpuType{entry->big32(0)} != CpuType::arm64) return;
  slices.push_back(fat_entry(*entry, 0, false));
  slices.back().is_hidden = true;
}

Result<MachFile, ByteFault> read_fat_file(const ByteSource& file, const BytePiece& start) {
  const bool is_64 = start.big32(0) == fat_magic_64;
  const std::uint32_t count = start.big32(4);
  if (count > most_fat_entries)
    return ByteFault{
        is_64 ? ByteFaultKind::too_large : ByteFaultKind::not_mach_o, 4,
        formatted("{} slices: {}", count, is_64 ? "too many" : "a Java class, or no program at all")};
  if (count == 0) return ByteFault{ByteFaultKind::malformed, 4, "the fat header names no slice"};
  const std::uint64_t entry_size = is_64 ? fat_entry_size_64 : fat_entry_size;
  const auto table = read_piece(file, fat_header_size, count * entry_size, "the table of slices");
  if (!table) return table.fault();
  MachFile read{true, {}};
  for (std::uint32_t i = 0; i < count; ++i) read.slices.push_back(fat_entry(*table, i * entry_size, is_64));
  if (!is_64) add_hidden_slice(file, fat_header_size + count * entry_size, read.slices);
  for (Slice& slice : read.slices) read_slice(file, slice);
  return read;
}

}  // namespace

std::string to_text(MachVersion version) {
  const std::string text = formatted("{}.{}", version.major, version.minor);
  return version.patch == 0 ? text : formatted("{}.{}", text, version.patch);
}

const Section* Slice::find_section(std::string_view segment, std::string_view name) const {
  for (const Segment& candidate : segments)
    for (const Section& section : candidate.sections)
      if (section.segment == segment && section.name == name) return &section;
  return nullptr;
}

const BuildVersion* Slice::build_for(Platform platform) const {
  const auto found = std::ranges::find(builds, platform, &BuildVersion::platform);
  return found == builds.end() ? nullptr : &*found;
}

const Slice* MachFile::slice(SliceKind kind) const {
  const auto found =
      std::ranges::find(slices, kind, [](const Slice& slice) { return slice.architecture.kind(); });
  return found == slices.end() ? nullptr : &*found;
}

Result<MachFile, ByteFault> read_mach_file(const ByteSource& file) {
  if (file.size() < fat_header_size)
    return ByteFault{ByteFaultKind::not_mach_o, 0, formatted("{} bytes are no Mach-O file", file.size())};
  const auto start = read_piece(file, 0, fat_header_size, "the first bytes");
  if (!start) return start.fault();
  if (start->big32(0) == fat_magic || start->big32(0) == fat_magic_64) return read_fat_file(file, *start);
  Slice slice;
  slice.size = file.size();
  read_slice(file, slice);
  if (slice.fault && slice.fault->kind == ByteFaultKind::not_mach_o) return *slice.fault;
  return MachFile{false, {std::move(slice)}};
}

}  // namespace metal_unlock
