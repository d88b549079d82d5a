// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace metal_unlock {

/// The bytes of the shim that this program was built with.
std::string_view embedded_shim();

/// The first 16 hexadecimal digits of their SHA-256: two versions of the program never share a file.
std::string_view embedded_shim_digest();

}  // namespace metal_unlock
