// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace metal_unlock {

/// The largest relative error of one rounding. Metal allows a GPU to round to the nearest and to round toward
/// zero, so it is the whole distance from 1 to the next number.
inline constexpr double float_epsilon = 0x1p-23;
inline constexpr double bfloat_epsilon = 0x1p-7;

/// To the nearest number of 16 bits, to the even one of two that are equally near, and back, which is exact.
std::uint16_t to_half(float value);
float from_half(std::uint16_t bits);
std::uint16_t to_bfloat(float value);
float from_bfloat(std::uint16_t bits);

}  // namespace metal_unlock
