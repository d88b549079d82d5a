// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace metal_unlock {

/// The text as one word of a POSIX shell, quoted only where it must be.
std::string shell_word(std::string_view text);

/// The text in the quotes of fish.
std::string fish_quoted(std::string_view text);

}  // namespace metal_unlock
