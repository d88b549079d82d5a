// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace metal_unlock::shim {

inline constexpr long first_apple_family = 1001;
inline constexpr long last_apple_family = 1999;

/// Whether `supportsFamily:` is answered with yes whatever stock says: the claimed Apple family (0: no claim)
/// and all below it. Every other number, and so every other range of families, keeps its stock answer.
inline bool is_claimed(uint64_t claimed_family, long family) noexcept {
  return family >= first_apple_family && static_cast<uint64_t>(family) <= claimed_family;
}

/// The answer to a limit: never below stock, so that a claim (0: no claim) can only add.
inline uint64_t raised(uint64_t stock, uint64_t claim) noexcept { return stock < claim ? claim : stock; }

}  // namespace metal_unlock::shim
