// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/entitlements.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// In the order of their strength: the kernel takes the strongest that a file has.
enum class HashKind : std::uint8_t { sha1, sha256_truncated, sha256, sha384 };

/// The flags of a CodeDirectory, by name where a decision hangs on them.
struct SigningFlags {
  std::uint32_t bits = 0;

  bool is_ad_hoc() const { return (bits & 0x2) != 0; }
  bool kills_when_invalid() const { return (bits & 0x200) != 0; }
  bool is_restricted() const { return (bits & 0x800) != 0; }
  bool requires_library_validation() const { return (bits & 0x2000) != 0; }
  bool has_hardened_runtime() const { return (bits & 0x10000) != 0; }
  bool is_linker_signed() const { return (bits & 0x20000) != 0; }
  bool operator==(const SigningFlags&) const = default;
};

/// The part of a signature that says what is signed.
struct CodeDirectory {
  std::uint64_t offset = 0;  ///< in the file
  std::uint32_t length = 0;
  std::uint32_t version = 0;
  SigningFlags flags;
  std::string identifier;
  std::string team;  ///< empty where there is none, as in every ad-hoc signature
  HashKind hash = HashKind::sha256;
  std::uint8_t hash_size = 0;
  std::uint8_t platform = 0;  ///< not 0: a program of the system, if Apple signed it
  std::uint8_t page_size_log2 = 0;
  std::uint64_t code_limit = 0;     ///< bytes of the slice that are hashed
  std::uint32_t code_slots = 0;     ///< hashes of pages
  std::uint32_t special_slots = 0;  ///< hashes of entitlements and the like, before those of the pages
  std::uint64_t hashes_offset = 0;  ///< of the first page's hash, in the file
  std::uint64_t exec_segment_flags = 0;
  std::uint32_t runtime_version = 0;  ///< packed, 0 where none is named
  bool operator==(const CodeDirectory&) const = default;
};

/// A blob of a signature, as its index lists it.
struct SignatureBlob {
  std::uint32_t slot = 0;
  std::uint32_t magic = 0;
  std::uint64_t offset = 0;  ///< in the file
  std::uint32_t length = 0;
  bool operator==(const SignatureBlob&) const = default;
};

/// What is signed, by whom and with what rights; nothing here says that the signature holds.
struct CodeSignature {
  std::vector<SignatureBlob> blobs;
  CodeDirectory directory;                       ///< the one the kernel takes
  std::vector<CodeDirectory> other_directories;  ///< with weaker hashes
  Entitlements entitlements;
  std::optional<ByteFault> entitlements_fault;  ///< why they are not known, though there are some
  bool has_certificates = false;                ///< a signature that is more than ad hoc
  bool operator==(const CodeSignature&) const = default;
};

/// Reads a signature of `size` bytes at `offset` of the file.
Result<CodeSignature, ByteFault> read_code_signature(const ByteSource& file, std::uint64_t offset,
                                                     std::uint64_t size);

}  // namespace metal_unlock
