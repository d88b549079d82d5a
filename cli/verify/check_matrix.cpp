// SPDX-License-Identifier: MIT
#include "cli/verify/checks.hpp"
#include "cli/verify/kernel_sources.hpp"
#include "cli/verify/number_formats.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace metal_unlock {
namespace {

constexpr std::size_t rows = 16;
constexpr std::size_t depth = 32;
constexpr std::size_t columns = 24;
constexpr std::size_t tile = 8;

/// The matrix as the kernel reads it, and the very numbers that these bytes stand for.
struct Matrix {
  KernelBuffer buffer;
  std::vector<double> values;
};

Matrix float_matrix(const std::vector<float>& values) {
  return {buffer_of(values), {values.begin(), values.end()}};
}

Matrix short_matrix(const std::vector<float>& values, std::uint16_t (*to_bits)(float),
                    float (*from_bits)(std::uint16_t)) {
  std::vector<std::uint16_t> bits;
  Matrix matrix;
  for (const float value : values) {
    bits.push_back(to_bits(value));
    matrix.values.push_back(double{from_bits(bits.back())});
  }
  matrix.buffer = buffer_of(bits);
  return matrix;
}

Matrix half_matrix(const std::vector<float>& values) { return short_matrix(values, to_half, from_half); }
Matrix bfloat_matrix(const std::vector<float>& values) {
  return short_matrix(values, to_bfloat, from_bfloat);
}

/// `depth` products and as many additions, in any order. Factors of 16 bits have products that float holds
/// exactly; those of float are rounded once more.
std::vector<Expected> product(const Matrix& a, const Matrix& b) {
  std::vector<Expected> elements;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      Expected element;
      double magnitudes = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        const double term = a.values[row * depth + k] * b.values[k * columns + column];
        element.value += term;
        magnitudes += std::abs(term);
      }
      element.tolerance = (depth + 1) * float_epsilon * magnitudes;
      elements.push_back(element);
    }
  return elements;
}

Judgement check_matrix(const Compute& compute, std::string_view name, std::uint64_t seed,
                       Matrix (*matrix_of)(const std::vector<float>&)) {
  Numbers numbers(seed);
  const Matrix a = matrix_of(numbers.fractions(rows * depth));
  const Matrix b = matrix_of(numbers.fractions(depth * columns));
  const KernelCall call{.source = kernel_source(name),
                        .function = name,
                        .buffers = {a.buffer, b.buffer, room_for<float>(rows * columns),
                                    buffer_of<std::uint32_t>({depth, columns})},
                        .threadgroup_memory = {},
                        .threadgroups = (rows / tile) * (columns / tile)};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare("product", values_in<float>(results[2]), product(a, b));
  });
}

}  // namespace

Judgement check_matrix_float(const Compute& compute, Bytes /*threadgroup_memory*/) {
  return check_matrix(compute, "matrix_float", 5, float_matrix);
}

Judgement check_matrix_half(const Compute& compute, Bytes /*threadgroup_memory*/) {
  return check_matrix(compute, "matrix_half", 6, half_matrix);
}

Judgement check_matrix_bfloat(const Compute& compute, Bytes /*threadgroup_memory*/) {
  return check_matrix(compute, "matrix_bfloat", 7, bfloat_matrix);
}

}  // namespace metal_unlock
