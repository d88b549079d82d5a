// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace metal {

/// A number of 16 bits that is computed with as float: float holds products and sums of two of them closely
/// enough that rounding twice is the same as rounding once.
template <int ExponentBits, int FractionBits>
class small_float {
  static_assert(1 + ExponentBits + FractionBits == 16);

 public:
  small_float() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr small_float(Number value) : bits_(rounded(static_cast<float>(value))) {}
  template <int E, int F>
  requires(E != ExponentBits) explicit small_float(small_float<E, F> value)
      : small_float(static_cast<float>(value)) {}

  operator float() const {
    const int exponent = (bits_ >> FractionBits) & largest_exponent;
    const int fraction = bits_ & ((1 << FractionBits) - 1);
    const float sign = (bits_ & 0x8000) != 0 ? -1.0f : 1.0f;
    if (exponent == largest_exponent) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), 1 - bias - FractionBits);
    return sign *
           std::ldexp(static_cast<float>(fraction + (1 << FractionBits)), exponent - bias - FractionBits);
  }

  std::uint16_t bits() const { return bits_; }

  friend small_float operator*(small_float a, small_float b) { return float(a) * float(b); }
  friend small_float operator+(small_float a, small_float b) { return float(a) + float(b); }
  friend small_float operator-(small_float a, small_float b) { return float(a) - float(b); }

 private:
  static constexpr int largest_exponent = (1 << ExponentBits) - 1;
  static constexpr int bias = largest_exponent / 2;

  /// To the nearest, and to the even one of two that are equally near.
  static std::uint16_t rounded(float value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7fff);
    int exponent = 0;
    const float magnitude = std::fabs(value);
    std::frexp(magnitude, &exponent);
    // Below the smallest normal number the steps are those of the smallest normal number.
    exponent = std::isinf(value) ? 1000 : std::max(exponent - 1, 1 - bias);
    if (exponent > bias) return static_cast<std::uint16_t>(sign | (largest_exponent << FractionBits));
    const double steps = std::nearbyint(std::ldexp(static_cast<double>(magnitude), FractionBits - exponent));
    // A carry out of the fraction is a carry into the exponent, up to infinity.
    const int base = (exponent + bias - 1) << FractionBits;
    return static_cast<std::uint16_t>(sign | (base + static_cast<int>(steps)));
  }

  std::uint16_t bits_;
};

using half = small_float<5, 10>;
using bfloat = small_float<8, 7>;

}  // namespace metal
