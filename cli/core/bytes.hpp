// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace metal_unlock {

/// A size that knows it is a size.
struct Bytes {
  std::uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};

/// "32 KiB" where the size is a whole number of a binary unit, "11453.2 MiB" above one MiB, else "1000 bytes".
std::string to_text(Bytes size);

}  // namespace metal_unlock
