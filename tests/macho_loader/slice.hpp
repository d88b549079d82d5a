// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho_loader/load_error.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock::macho {

/// Bytes of a file. Reading past their end is a LoadError.
class View {
 public:
  View() = default;
  View(const std::uint8_t* start, std::uint64_t size) : start_(start), size_(size) {}

  std::uint64_t size() const { return size_; }
  View part(std::uint64_t offset, std::uint64_t size) const;
  /// Up to the next zero byte, which must be there.
  std::string text(std::uint64_t offset) const;
  template <class T>
  T read(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, part(offset, sizeof value).start_, sizeof value);
    return value;
  }

 private:
  const std::uint8_t* start_ = nullptr;
  std::uint64_t size_ = 0;
};

struct Segment {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t file_offset = 0;  ///< from the start of the slice
  std::uint64_t file_size = 0;
  int protection = 0;                   ///< the bits of mprotect, which are the same on both systems
  bool read_only_after_fixups = false;  ///< SG_READ_ONLY
};

struct Section {
  std::string segment;
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint32_t type = 0;  ///< the low byte of its flags
};

struct Dependency {
  std::string install_name;
  bool weak = false;  ///< may be absent
};

/// Offset and size in the slice.
struct Range {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// The tables of LC_DYLD_INFO.
struct OpcodeTables {
  Range rebase, bind, weak_bind, lazy_bind;
};

enum SectionType : std::uint32_t { init_pointers = 0x9, init_offsets = 0x16 };

/// What the load commands of one architecture say.
struct Slice {
  View bytes;
  std::uint64_t offset_in_file = 0;
  std::vector<Segment> segments;
  std::vector<Section> sections;
  std::vector<Dependency> dependencies;
  std::optional<Range> chained_fixups;
  std::optional<OpcodeTables> opcodes;
  std::optional<std::uint64_t> main_offset;  ///< of a program: where its main function is in the file
};

enum class FileType : std::uint32_t { program = 2, library = 6 };

/// Whether the file begins as a Mach-O or universal file does.
bool is_macho(View file);

/// The slice of `file`, thin or universal, for the processor that this code was compiled for. LoadError where
/// there is none, where it is malformed, and where it has what this loader does not support.
Slice slice_for_this_processor(View file, FileType type);

}  // namespace metal_unlock::macho
