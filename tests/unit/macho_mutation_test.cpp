// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/macho/macho_samples.hpp"

using namespace metal_unlock;

namespace {

/// "" where the bytes are refused, or read with every promise kept.
std::string broken_promise_of(const std::string& bytes) {
  const auto file = read_mach_file(MemorySource{bytes});
  return file ? broken_promise(*file, bytes.size()) : "";
}

}  // namespace

TEST_CASE("each sample is read without a fault") {
  std::size_t programs = 0;
  for (const auto& [name, bytes] : mach_samples()) {
    if (name.starts_with("entitlements") || name == "i386") continue;
    CAPTURE(name);
    const auto file = read_mach_file(MemorySource{bytes});
    REQUIRE(file);
    CHECK(broken_promise(*file, bytes.size()).empty());
    for (const Slice& slice : file->slices) {
      CHECK_FALSE(slice.fault);
      REQUIRE(slice.signature);
      CHECK_FALSE(slice.signature->entitlements_fault);
    }
    ++programs;
  }
  CHECK(programs == 7);
}

TEST_CASE("a sample cut off anywhere keeps the promises of the reader") {
  for (const auto& [name, bytes] : mach_samples()) {
    CAPTURE(name);
    const std::size_t step = bytes.size() > 0x4000 ? 97 : 1;
    for (std::size_t length = 0; length < bytes.size(); length += step) {
      const std::string broken = broken_promise_of(bytes.substr(0, length));
      if (!broken.empty()) FAIL("cut at " << length << ": " << broken);
    }
  }
}

TEST_CASE("a sample with any byte changed keeps the promises of the reader") {
  for (const auto& [name, bytes] : mach_samples()) {
    CAPTURE(name);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (bytes.size() > 0x4000 && bytes[at] == '\0') continue;
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ flip);
        const std::string broken = broken_promise_of(changed);
        if (!broken.empty()) FAIL("byte " << at << ": " << broken);
      }
    }
  }
}

TEST_CASE("the promises are checked") {
  const std::string bytes = mach_samples().front().bytes;
  MachFile file = *read_mach_file(MemorySource{bytes});
  CHECK(broken_promise(file, bytes.size()).empty());
  CHECK(broken_promise(file, bytes.size() - 1) == "a slice lies within its file");
  MachFile without = file;
  without.slices[0].signature.reset();
  CHECK(broken_promise(without, bytes.size()) == "a signature is read, or it is said why not");
  MachFile outside = file;
  outside.slices[0].segments[0].file_size = bytes.size() + 1;
  CHECK(broken_promise(outside, bytes.size()) == "a segment lies within its slice");
  MachFile many = file;
  many.slices[0].signature->directory.code_slots = 0x10000;
  CHECK(broken_promise(many, bytes.size()) == "the hashes of the pages lie within the slice");
  file.slices[0].signature->entitlements_fault = ByteFault{};
  CHECK(broken_promise(file, bytes.size()) == "broken entitlements grant nothing");
  file.slices.clear();
  CHECK(broken_promise(file, bytes.size()) == "a file has a slice");
}
