// SPDX-License-Identifier: MIT
#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/code_signature.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {
namespace {

/// Bytes of the file in front of the signature and behind it.
constexpr std::uint64_t margin = 8;

void check_code_directory(const CodeDirectory& directory, std::uint64_t size) {
  promise(directory.offset >= margin && is_within(directory.offset - margin, directory.length, size),
          "a CodeDirectory lies within its signature");
  const std::uint64_t before = std::uint64_t{directory.special_slots} * directory.hash_size;
  const std::uint64_t behind = std::uint64_t{directory.code_slots} * directory.hash_size;
  const std::uint64_t at = directory.hashes_offset - directory.offset;
  promise(before <= at && is_within(at, behind, directory.length), "hashes lie within their CodeDirectory");
  for (const std::string* text : {&directory.identifier, &directory.team})
    promise(text->size() <= 1024 && text->find('\0') == std::string::npos, "a name ends where its text ends");
}

}  // namespace

void fuzz_code_signature(std::string_view bytes) {
  const std::string around(margin, '\xfa');
  const MemorySource source{around + std::string{bytes} + around};
  const auto signature = read_code_signature(source, margin, bytes.size());
  if (!signature) return promise_inside(signature.fault(), margin, bytes.size());
  for (const SignatureBlob& blob : signature->blobs)
    promise(blob.offset >= margin && is_within(blob.offset - margin, blob.length, bytes.size()),
            "a part lies within its signature");
  check_code_directory(signature->directory, bytes.size());
  for (const CodeDirectory& other : signature->other_directories) {
    check_code_directory(other, bytes.size());
    promise(other.hash < signature->directory.hash, "the strongest hash decides");
  }
  if (signature->entitlements_fault) {
    promise_inside(*signature->entitlements_fault, margin, bytes.size());
    promise(signature->entitlements.entries.empty(), "broken entitlements grant nothing");
  }
}

}  // namespace metal_unlock
