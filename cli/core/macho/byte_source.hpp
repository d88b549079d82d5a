// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace metal_unlock {

/// A file's bytes, read where they are needed: a reader of a large file touches a few pages of it.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills `into` with the bytes from `offset` on; false where not all of them can be had.
  virtual bool read(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

/// Bytes that are in memory already.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  bool read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  std::string bytes_;
};

/// What is wrong with foreign bytes.
enum class ByteFaultKind : std::uint8_t {
  unreadable,    ///< the source did not give the bytes
  not_mach_o,    ///< another kind of file: a script, a Java class
  unsupported,   ///< Mach-O, but of a kind that no Mac of today starts
  out_of_range,  ///< a number points outside of what it must lie in
  malformed,     ///< a number or a text that may not stand there
  too_large,     ///< more than any real file has
};

/// What is wrong, and where: an offset into the file.
struct ByteFault {
  ByteFaultKind kind = ByteFaultKind::malformed;
  std::uint64_t offset = 0;
  std::string what;  ///< "load command 3 has a size of 4 bytes"
  bool operator==(const ByteFault&) const = default;
};

/// "load command 3 has a size of 4 bytes (at 0x68)"
std::string to_text(const ByteFault& fault);

}  // namespace metal_unlock
