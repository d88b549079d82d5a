// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/gpu_verdict.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace metal_unlock {

/// Larger than any text that is written here; a reader takes no more.
inline constexpr Bytes largest_verdict{65536};

/// What the process of one check prints: one line of JSON.
std::string pass_line(const CheckPass& pass);
/// Nothing where the text is anything but one such line: a process that crashed may leave half of it.
std::optional<CheckPass> parse_pass_line(std::string_view text);

/// A verdict as it is kept from one start to the next.
std::string verdict_memory(const GpuVerdict& verdict);
/// Nothing where the text is damaged, or in any way not what this program writes.
std::optional<GpuVerdict> parse_verdict_memory(std::string_view text);

}  // namespace metal_unlock
