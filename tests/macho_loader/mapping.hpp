// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho_loader/slice.hpp"

#include <cstdint>

namespace metal_unlock::macho {

/// A slice in memory. Never unmapped: code that has run may still be referred to.
class Mapping {
 public:
  /// Maps every segment privately from the file, writable until `protect`.
  Mapping(const Slice& slice, int file);

  /// Where `size` bytes at an address of the file are now. LoadError where no segment has them.
  std::uint8_t* at(std::uint64_t address, std::uint64_t size) const;
  /// The same for an offset in the segment with this number.
  std::uint64_t address_in_segment(std::uint64_t number, std::uint64_t offset) const;
  std::uint64_t first_address() const { return first_; }
  std::uint64_t slide() const { return slide_; }

  /// Gives each segment the protection that it asks for.
  void protect() const;

 private:
  void map_segment(const Segment& segment, const Slice& slice, int file) const;

  std::vector<Segment> segments_;
  std::uint64_t first_ = 0;
  std::uint64_t slide_ = 0;
};

}  // namespace metal_unlock::macho
