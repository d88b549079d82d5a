// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/architecture.hpp"
#include "cli/core/macho/code_signature.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

enum class MachFileType : std::uint32_t { executable = 2, dylib = 6, dylinker = 7, bundle = 8, dsym = 10 };

/// "14.2", or "14.2.1" where the last part is not 0.
struct MachVersion {
  std::uint16_t major = 0;
  std::uint8_t minor = 0;
  std::uint8_t patch = 0;
  auto operator<=>(const MachVersion&) const = default;
};
std::string to_text(MachVersion version);

struct Section {
  std::string segment;
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint32_t offset = 0;  ///< in the slice
  std::uint32_t flags = 0;
  std::uint8_t type() const { return static_cast<std::uint8_t>(flags & 0xff); }
  bool operator==(const Section&) const = default;
};

struct Segment {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t file_offset = 0;  ///< in the slice
  std::uint64_t file_size = 0;
  std::uint32_t initial_protection = 0;  ///< 1 read, 2 write, 4 execute
  std::vector<Section> sections;
  bool operator==(const Segment&) const = default;
};

enum class DylibUse : std::uint8_t { required, weak, reexported, lazy, upward, delayed };

/// A library that a file names.
struct Dylib {
  std::string path;
  DylibUse use = DylibUse::required;
  MachVersion current;
  MachVersion compatible;
  bool operator==(const Dylib&) const = default;
};

enum class Platform : std::uint32_t {
  macos = 1,
  ios = 2,
  mac_catalyst = 6,
  ios_simulator = 7,
  driverkit = 10,
};

/// The system that a slice was built for.
struct BuildVersion {
  Platform platform = Platform::macos;
  MachVersion minimum;  ///< the deployment target
  MachVersion sdk;
  bool operator==(const BuildVersion&) const = default;
};

struct ByteRange {
  std::uint64_t offset = 0;  ///< in the slice
  std::uint64_t size = 0;
  bool operator==(const ByteRange&) const = default;
};

struct Encryption {
  ByteRange range;
  std::uint32_t system = 0;  ///< 0: prepared for it, and not encrypted
  bool operator==(const Encryption&) const = default;
};

struct EntryPoint {
  std::uint64_t offset = 0;
  std::uint64_t stack_size = 0;
  bool operator==(const EntryPoint&) const = default;
};

/// A load command as it stands, also one that is not looked into.
struct LoadCommand {
  std::uint32_t command = 0;
  std::uint32_t size = 0;
  std::uint64_t offset = 0;  ///< in the file
  bool operator==(const LoadCommand&) const = default;
};

/// One architecture's program or library. Where `fault` says what is wrong, what comes after it is not known.
struct Slice {
  Architecture architecture;  ///< of the slice's own header; of the fat header where the slice has none
  std::uint64_t offset = 0;   ///< in the file
  std::uint64_t size = 0;
  std::uint32_t alignment_log2 = 0;  ///< as the fat header says; 0 in a thin file
  bool is_hidden = false;            ///< stands behind those that the fat header counts

  MachFileType type{};
  std::uint32_t flags = 0;
  std::vector<LoadCommand> commands;
  std::vector<Segment> segments;
  std::optional<Dylib> install_name;  ///< of a library
  std::vector<Dylib> dylibs;
  std::vector<std::string> rpaths;
  std::vector<std::string> loader_environment;  ///< "DYLD_X=…" of LC_DYLD_ENVIRONMENT
  std::string loader;                           ///< "/usr/lib/dyld"
  std::vector<BuildVersion> builds;             ///< more than one in a file for macOS and Mac Catalyst
  std::optional<EntryPoint> entry_point;
  std::optional<Encryption> encryption;
  std::optional<ByteRange> signature_range;
  std::optional<CodeSignature> signature;
  std::optional<ByteFault> signature_fault;  ///< why there is none, though a command names one
  std::optional<ByteFault> fault;

  bool is_encrypted() const { return encryption && encryption->system != 0; }
  /// The section that makes dyld ignore every DYLD_ variable.
  bool has_restrict_section() const { return find_section("__RESTRICT", "__restrict") != nullptr; }
  const Section* find_section(std::string_view segment, std::string_view name) const;
  /// Null where the slice was built for other systems only.
  const BuildVersion* build_for(Platform platform) const;
  bool operator==(const Slice&) const = default;
};

/// A Mach-O file: one slice, or a fat file with one or more.
struct MachFile {
  bool is_fat = false;
  std::vector<Slice> slices;

  /// The first slice of that kind; null where there is none.
  const Slice* slice(SliceKind kind) const;
  bool operator==(const MachFile&) const = default;
};

/// Reads headers, load commands and signatures, and nothing else of the file. A slice that is wrong carries
/// its own fault; the whole fails where it is no Mach-O file, or its fat header is wrong.
Result<MachFile, ByteFault> read_mach_file(const ByteSource& file);

}  // namespace metal_unlock
