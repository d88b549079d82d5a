// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// The names close enough to `typed` to be what was meant, nearest first, at most `most` of them.
/// Close: no more edits (insert, delete, replace, swap neighbours) than a third of the longer word, at least
/// one, but fewer than that word has letters.
std::vector<std::string> near_names(std::string_view typed, std::span<const std::string> names,
                                    std::size_t most = 3);

/// "did you mean a?", "did you mean a or b?"; empty when `near` is.
std::string did_you_mean(std::span<const std::string> near);

}  // namespace metal_unlock
