// SPDX-License-Identifier: MIT
#include "cli/verify/checks.hpp"
#include "cli/verify/kernel_sources.hpp"
#include "cli/verify/number_formats.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace metal_unlock {
namespace {

constexpr std::size_t count = 256;

/// By its bits: std::ldexp is in the mathematical library, which every start of the program would then load.
float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(127 + exponent) << 23U);
}

/// Half of them are numbers of bfloat, which must come back as they went.
std::vector<float> bfloat_inputs() {
  Numbers numbers(8);
  std::vector<float> values = numbers.fractions(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Over some powers of two, so that the exponent is tested as well as the fraction.
    values[i] *= power_of_two(static_cast<int>(i % 61) - 30);
    if (i % 2 == 0) values[i] = from_bfloat(to_bfloat(values[i]));
  }
  return values;
}

/// A conversion may round to the nearest or toward zero, so it is off by less than one step.
Expected converted(float value) {
  const double nearest = double{from_bfloat(to_bfloat(value))};
  return {value, nearest == double{value} ? 0 : bfloat_epsilon * std::abs(double{value})};
}

std::vector<float> from_bits(const std::vector<std::uint16_t>& bits) {
  std::vector<float> values;
  for (const std::uint16_t each : bits) values.push_back(from_bfloat(each));
  return values;
}

constexpr std::size_t dot_rows = 64;
constexpr std::size_t blocks_in_row = 4;
constexpr std::size_t weights_in_block = 32;

/// Rows of blocks as llama.cpp's q4_0 lays them out, and the numbers that they stand for.
struct QuantisedRows {
  KernelBuffer buffer;
  std::vector<double> weights;
};

void add_block(Numbers& numbers, QuantisedRows& rows) {
  const std::uint16_t scale = to_half(numbers.fraction());
  rows.buffer.bytes.append(reinterpret_cast<const char*>(&scale), sizeof scale);
  std::vector<double> high;
  for (std::size_t i = 0; i < weights_in_block / 2; ++i) {
    const std::uint32_t pair = numbers.word() & 0xff;
    rows.buffer.bytes.push_back(static_cast<char>(pair));
    rows.weights.push_back(double{from_half(scale)} * (static_cast<int>(pair & 15) - 8));
    high.push_back(double{from_half(scale)} * (static_cast<int>(pair >> 4) - 8));
  }
  rows.weights.insert(rows.weights.end(), high.begin(), high.end());
}

/// For each block 32 products and sums, then a product with the scale and a sum: every term passes through at
/// most as many roundings as there are weights in a block and blocks in a row, and two for its products.
std::vector<Expected> dot_products(const QuantisedRows& rows, const std::vector<float>& factors) {
  constexpr double roundings = weights_in_block + blocks_in_row + 2;
  std::vector<Expected> products(dot_rows);
  for (std::size_t row = 0; row < dot_rows; ++row) {
    double magnitudes = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const double term = rows.weights[row * factors.size() + i] * double{factors[i]};
      products[row].value += term;
      magnitudes += std::abs(term);
    }
    products[row].tolerance = roundings * float_epsilon * magnitudes;
  }
  return products;
}

}  // namespace

Judgement check_bfloat(const Compute& compute, Bytes /*threadgroup_memory*/) {
  const std::vector<float> values = bfloat_inputs();
  std::vector<Expected> returned;
  std::vector<Expected> products;
  for (const float value : values) {
    returned.push_back(converted(value));
    // One more rounding, of the product.
    const Expected narrow = returned.back();
    products.push_back(
        {narrow.value * 1.5, 1.5 * (narrow.tolerance + bfloat_epsilon * std::abs(narrow.value) +
                                    bfloat_epsilon * narrow.tolerance)});
  }
  const KernelCall call{.source = kernel_source("bfloat"),
                        .function = "bfloat_round_trip",
                        .buffers = {buffer_of(values), room_for<float>(count), room_for<std::uint16_t>(count),
                                    room_for<std::uint16_t>(count)},
                        .threadgroup_memory = {},
                        .threadgroups = count / 32};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare("returned", values_in<float>(results[1]), returned);
    judge.compare("bits", from_bits(values_in<std::uint16_t>(results[2])), returned);
    judge.compare("product", from_bits(values_in<std::uint16_t>(results[3])), products);
  });
}

Judgement check_quantised(const Compute& compute, Bytes /*threadgroup_memory*/) {
  Numbers numbers(9);
  QuantisedRows rows;
  for (std::size_t i = 0; i < dot_rows * blocks_in_row; ++i) add_block(numbers, rows);
  const std::vector<float> factors = numbers.fractions(blocks_in_row * weights_in_block);
  const KernelCall call{.source = kernel_source("quantised"),
                        .function = "quantised_dot",
                        .buffers = {rows.buffer, buffer_of(factors), room_for<float>(dot_rows),
                                    buffer_of<std::uint32_t>({blocks_in_row})},
                        .threadgroup_memory = {},
                        .threadgroups = dot_rows / 32};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare("dot product", values_in<float>(results[2]), dot_products(rows, factors));
  });
}

}  // namespace metal_unlock
