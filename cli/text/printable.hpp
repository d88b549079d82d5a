// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace metal_unlock {

/// The text with control characters, and bytes that are no UTF-8, as escapes ("\n", "\x1b"): a file name
/// never moves a cursor or starts a line.
std::string printable(std::string_view text);

}  // namespace metal_unlock
