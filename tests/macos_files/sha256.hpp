// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace metal_unlock {

/// The 32 bytes of a text's SHA-256.
std::string sha256(std::string_view text);

/// Two small letters or digits for each byte.
std::string in_hex(std::string_view bytes);

}  // namespace metal_unlock
