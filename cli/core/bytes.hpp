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

/// "3 GiB", "3584 MiB" or "32 KiB" where the size is a whole number of the unit, "10922.7 MiB" for any other
/// size above one MiB, else "1000 bytes".
std::string to_text(Bytes size);

}  // namespace metal_unlock
