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

/// Whether `supportsFamily:` is answered with no whatever stock says: every Apple family above that of a
/// simulated smaller GPU (0: none is simulated).
inline bool is_beyond_simulated(uint64_t simulated_family, long family) noexcept {
  return simulated_family != 0 && family > static_cast<long>(simulated_family) && family <= last_apple_family;
}

/// The answer to a limit: never below stock, so that a claim (0: no claim) can only add.
inline uint64_t raised(uint64_t stock, uint64_t claim) noexcept { return stock < claim ? claim : stock; }

/// The answer to a limit of a simulated smaller GPU (0: none is simulated): never above stock.
inline uint64_t lowered(uint64_t stock, uint64_t simulated) noexcept {
  return simulated != 0 && simulated < stock ? simulated : stock;
}

}  // namespace metal_unlock::shim
