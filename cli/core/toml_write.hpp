// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace metal_unlock {

/// A basic string of TOML on one line, quotes included. Control characters and bytes that are no UTF-8 become
/// '?', since no reader would take them.
std::string toml_string(std::string_view text);

}  // namespace metal_unlock
