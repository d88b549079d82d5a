// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/mach_file.hpp"

namespace metal_unlock {

/// Reads `count` load commands into the slice whose place in the file is known already. What was read before
/// a fault stays in the slice.
std::optional<ByteFault> read_load_commands(const BytePiece& commands, std::uint32_t count, Slice& slice);

}  // namespace metal_unlock
