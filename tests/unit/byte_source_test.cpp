// SPDX-License-Identifier: MIT
#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/mach_file.hpp"
#include "tests/catch.hpp"
#include "tests/macho/macho_builder.hpp"
#include "tests/macho/signature_builder.hpp"

#include <cstring>
#include <limits>

using namespace metal_unlock;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// A program with a signature at its end, as large as wanted, that counts what is read of it.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(std::size_t size) : bytes_(program(size)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  bool read(std::uint64_t offset, std::span<std::byte> into) const override {
    ++reads;
    bytes_read += into.size();
    if (!is_within(offset, into.size(), bytes_.size())) return false;
    std::memcpy(into.data(), bytes_.data() + offset, into.size());
    return true;
  }

  mutable std::uint64_t reads = 0;
  mutable std::uint64_t bytes_read = 0;

 private:
  static std::string program(std::size_t size) {
    const auto pages = static_cast<std::uint32_t>(size / 0x1000);
    SliceBuilder builder{arm64};
    builder.segment("__TEXT").dylib(0xc, "/usr/lib/libSystem.B.dylib");
    builder.signature(super_blob({{0, code_directory({.code_slots = pages, .code_limit = size})},
                                  {7, der_entitlements(der_root(der_pair("allow", der_truth(true))))}}));
    return builder.bytes(size);
  }

  std::string bytes_;
};

/// Gives its size and nothing else.
class BrokenSource final : public ByteSource {
 public:
  std::uint64_t size() const override { return 4096; }
  bool read(std::uint64_t, std::span<std::byte>) const override { return false; }
};

}  // namespace

TEST_CASE("a large program is read no further than a small one") {
  const CountingSource small{std::size_t{1} << 20};
  const CountingSource large{std::size_t{100} << 20};
  const auto small_file = read_mach_file(small);
  const auto large_file = read_mach_file(large);
  REQUIRE(small_file);
  REQUIRE(large_file);
  REQUIRE(large_file->slices.front().signature);
  CHECK(large_file->slices.front().signature->entitlements.grants("allow"));
  CHECK(large_file->slices.front().signature->directory.code_slots == 25600);
  CHECK(large.reads == small.reads);
  CHECK(large.bytes_read == small.bytes_read);
  CHECK(large.bytes_read < 4096);
}

TEST_CASE("a file that cannot be read is no file that is wrong") {
  const auto file = read_mach_file(BrokenSource{});
  REQUIRE_FALSE(file);
  CHECK(file.fault().kind == ByteFaultKind::unreadable);
  CHECK(to_text(file.fault()) == "the first bytes cannot be read (at 0x0)");
}

TEST_CASE("bytes are given whole or not at all") {
  const MemorySource source{"abcdef"};
  std::array<std::byte, 3> into{};
  CHECK(source.read(3, into));
  CHECK(into[2] == std::byte{'f'});
  CHECK_FALSE(source.read(4, into));
  CHECK_FALSE(source.read(largest, into));
  CHECK(source.read(6, {}));
  CHECK_FALSE(source.read(7, {}));
}

TEST_CASE("a field outside of a piece reads as nothing") {
  const BytePiece piece{"\x01\x02\x03\x04\x05\x06\x07\x08", 0x100};
  CHECK(piece.little32(0) == 0x04030201);
  CHECK(piece.big32(4) == 0x05060708);
  CHECK(piece.little64(0) == 0x0807060504030201);
  CHECK(piece.big64(0) == 0x0102030405060708);
  CHECK(piece.little16(6) == 0x0807);
  CHECK(piece.byte(7) == 8);
  CHECK(piece.little32(5) == 0);
  CHECK(piece.big32(largest) == 0);
  CHECK(piece.little64(1) == 0);
  CHECK(piece.byte(8) == 0);
  CHECK(piece.text(6, 9) == "\x07\x08");
  CHECK(piece.text(8, 1).empty());
  CHECK(piece.text(largest, largest).empty());
}

TEST_CASE("ranges are compared without overflow") {
  CHECK(is_within(0, 0, 0));
  CHECK(is_within(2, 3, 5));
  CHECK_FALSE(is_within(2, 4, 5));
  CHECK_FALSE(is_within(largest, 2, 5));
  CHECK_FALSE(is_within(2, largest, 5));
  CHECK(is_within(1, largest - 1, largest));
}
