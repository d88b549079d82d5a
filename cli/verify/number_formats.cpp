// SPDX-License-Identifier: MIT
#include "cli/verify/number_formats.hpp"

#include <bit>
#include <cmath>

namespace metal_unlock {
namespace {

constexpr std::uint32_t infinity_bits = 0x7f800000;

std::uint16_t with_sign(std::uint32_t bits, std::uint32_t sign_of) {
  return static_cast<std::uint16_t>(bits | (sign_of >> 16 & 0x8000));
}

/// Without its lowest `count` bits, rounded to the nearest, and to even.
std::uint32_t shifted(std::uint32_t value, int count) {
  const std::uint32_t kept = value >> count;
  const std::uint32_t lost = value & ((1U << count) - 1);
  const std::uint32_t tie = 1U << (count - 1);
  return kept + (lost > tie || (lost == tie && (kept & 1) != 0) ? 1 : 0);
}

}  // namespace

std::uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > infinity_bits) return with_sign(0x7fff, bits);
  return with_sign(shifted(magnitude, 16), bits);
}

float from_bfloat(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::uint16_t to_half(float value) {
  constexpr std::uint32_t smallest_normal = 113U << 23;  // 2^-14
  constexpr std::uint32_t rebias = (127U - 15U) << 23;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > infinity_bits) return with_sign(0x7fff, bits);
  if (magnitude >= 143U << 23) return with_sign(0x7c00, bits);  // 2^16 and above
  if (magnitude >= smallest_normal) return with_sign(shifted(magnitude - rebias, 13), bits);
  // Below, the fraction with its leading one is shifted to steps of 2^-24.
  const auto exponent = static_cast<int>(magnitude >> 23);
  if (exponent < 102) return with_sign(0, bits);
  const std::uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
  return with_sign(shifted(fraction, 126 - exponent), bits);
}

float from_half(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits} << 16 & 0x80000000;
  const std::uint32_t exponent = bits >> 10 & 31;
  const std::uint32_t fraction = bits & 0x3ff;
  if (exponent == 31) return std::bit_cast<float>(sign | infinity_bits | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

}  // namespace metal_unlock
