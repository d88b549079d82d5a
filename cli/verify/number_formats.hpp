// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace metal_unlock {

/// Half of the distance from 1 to the next number, which is the largest relative error of one rounding to the
/// nearest; twice that where a GPU may round toward zero, as Metal allows it to.
inline constexpr double float_epsilon = 0x1p-23;
inline constexpr double half_epsilon = 0x1p-10;
inline constexpr double bfloat_epsilon = 0x1p-7;

/// To the nearest number of 16 bits, to the even one of two that are equally near, and back, which is exact.
std::uint16_t to_half(float value);
float from_half(std::uint16_t bits);
std::uint16_t to_bfloat(float value);
float from_bfloat(std::uint16_t bits);

}  // namespace metal_unlock
