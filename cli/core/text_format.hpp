// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#include <string>

namespace metal_unlock {

/// The one function behind `formatted`; text_format.cpp alone carries fmt's code, so that no other file
/// compiles it.
std::string formatted_erased(fmt::string_view pattern, fmt::format_args arguments);

/// `fmt::format`: the pattern is checked against the arguments at compile time.
template <class... Arguments>
std::string formatted(fmt::format_string<const Arguments&...> pattern, const Arguments&... arguments) {
  return formatted_erased(pattern, fmt::make_format_args(arguments...));
}

}  // namespace metal_unlock
