// SPDX-License-Identifier: MIT
#include "tests/macho_loader/mapping.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <sys/mman.h>

namespace metal_unlock::macho {
namespace {

constexpr std::uint64_t page = 4096;
/// Code for arm64 relies on the distance between segments modulo this.
constexpr std::uint64_t segment_alignment = 16384;

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t unit) { return (size + unit - 1) / unit * unit; }

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

/// A program keeps the lowest addresses free by a segment with nothing in it.
bool is_empty(const Segment& segment) {
  return segment.size == 0 || (segment.protection == 0 && segment.file_size == 0);
}

std::uint64_t reserve(std::uint64_t size) {
  void* start = mmap(nullptr, size + segment_alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw LoadError{"there is no room for it"};
  return rounded_up(reinterpret_cast<std::uint64_t>(start), segment_alignment);
}

}  // namespace

Mapping::Mapping(const Slice& slice, int file) {
  std::uint64_t last = 0;
  first_ = std::numeric_limits<std::uint64_t>::max();
  for (const Segment& segment : slice.segments) {
    if (is_empty(segment)) continue;
    if (segment.address > (std::uint64_t{1} << 40) || segment.size > (std::uint64_t{1} << 32))
      throw LoadError{"it is truncated or malformed"};
    first_ = std::min(first_, segment.address);
    last = std::max(last, segment.address + segment.size);
  }
  if (last == 0) throw LoadError{"it has no segments"};
  segments_ = slice.segments;
  slide_ = reserve(last - first_) - first_;
  for (const Segment& segment : segments_) map_segment(segment, slice, file);
}

void Mapping::map_segment(const Segment& segment, const Slice& slice, int file) const {
  if (is_empty(segment)) return;
  const std::uint64_t in_file = slice.offset_in_file + segment.file_offset;
  if (segment.address % page != 0 || in_file % page != 0 || segment.file_size > segment.size)
    throw LoadError{"its segment " + segment.name + " cannot be mapped"};
  static_cast<void>(slice.bytes.part(segment.file_offset, segment.file_size));
  const std::uint64_t start = segment.address + slide_;
  const std::uint64_t size = rounded_up(segment.size, page);
  const std::uint64_t from_file = rounded_up(segment.file_size, page);
  if (mprotect(pointer(start), size, PROT_READ | PROT_WRITE) != 0) throw LoadError{"it cannot be mapped"};
  if (segment.file_size == 0) return;
  if (mmap(pointer(start), from_file, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
           static_cast<off_t>(in_file)) == MAP_FAILED)
    throw LoadError{"it cannot be mapped"};
  const std::uint64_t end = std::min(segment.size, from_file);
  std::memset(pointer(start + segment.file_size), 0, end - segment.file_size);
}

std::uint8_t* Mapping::at(std::uint64_t address, std::uint64_t size) const {
  for (const Segment& segment : segments_) {
    if (is_empty(segment) || address < segment.address || address - segment.address > segment.size) continue;
    if (size <= segment.size - (address - segment.address))
      return static_cast<std::uint8_t*>(pointer(address + slide_));
  }
  throw LoadError{"it refers to an address outside of it"};
}

std::uint64_t Mapping::address_in_segment(std::uint64_t number, std::uint64_t offset) const {
  if (number >= segments_.size()) throw LoadError{"it refers to a segment that it does not have"};
  return segments_[number].address + offset;
}

void Mapping::protect() const {
  for (const Segment& segment : segments_) {
    if (is_empty(segment)) continue;
    void* start = pointer(segment.address + slide_);
    const int protection = segment.read_only_after_fixups ? PROT_READ : segment.protection;
    if (mprotect(start, rounded_up(segment.size, page), protection) != 0)
      throw LoadError{"its segment " + segment.name + " cannot be protected"};
    auto* bytes = static_cast<char*>(start);
    if ((protection & PROT_EXEC) != 0) __builtin___clear_cache(bytes, bytes + segment.size);
  }
}

}  // namespace metal_unlock::macho
