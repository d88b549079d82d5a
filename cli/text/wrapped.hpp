// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace metal_unlock {

/// Breaks a text at blanks, so that no line is longer than `width` unless one word is. Every line but the
/// first begins with `indent` blanks, which do not count.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace metal_unlock
