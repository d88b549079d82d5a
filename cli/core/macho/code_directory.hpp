// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/code_signature.hpp"

namespace metal_unlock {

constexpr std::uint32_t code_directory_magic = 0xfade0c02;

/// Reads what a CodeDirectory says, and leaves the hashes of the pages in the file.
Result<CodeDirectory, ByteFault> read_code_directory(const ByteSource& file, const SignatureBlob& blob);

/// Bytes of one hash.
std::uint8_t size_of(HashKind hash);

}  // namespace metal_unlock
