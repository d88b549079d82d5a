// SPDX-License-Identifier: MIT
#include "cli/verify/checks.hpp"
#include "cli/verify/kernel_sources.hpp"
#include "cli/verify/number_formats.hpp"

#include <bit>
#include <cmath>

namespace metal_unlock {

Judgement check_trivial(const Compute& compute, Bytes /*threadgroup_memory*/) {
  constexpr std::uint32_t count = 64;
  std::vector<std::uint32_t> expected(count);
  for (std::uint32_t i = 0; i < count; ++i) expected[i] = i * 2654435761U + 1;
  const KernelCall call{.source = kernel_source("trivial"),
                        .function = "write_index",
                        .buffers = {room_for<std::uint32_t>(count)},
                        .threadgroup_memory = {},
                        .threadgroups = count / 32};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare_exactly("number", values_in<std::uint32_t>(results[0]), expected);
  });
}

Judgement check_custom(const Compute& compute, Bytes /*threadgroup_memory*/) {
  constexpr std::size_t count = 1024;
  Numbers numbers(2);
  const std::vector<float> x = numbers.fractions(count);
  const std::vector<std::uint32_t> whole_x = numbers.words(count);
  const std::vector<float> line{1.75F, 0.3F};
  const std::vector<std::uint32_t> whole_line{3, 12345};
  std::vector<Expected> y;
  std::vector<std::uint32_t> whole_y;
  for (std::size_t i = 0; i < count; ++i) {
    const double product = double{line[0]} * double{x[i]};
    // Two roundings: of the product, and of the sum. Where both are one operation, there is one.
    y.push_back(
        {product + double{line[1]}, float_epsilon * (2 * std::abs(product) + std::abs(double{line[1]}))});
    whole_y.push_back(whole_line[0] * whole_x[i] + whole_line[1]);
  }
  const KernelCall call{.source = kernel_source("custom"),
                        .function = "straight_line",
                        .buffers = {buffer_of(x), room_for<float>(count), buffer_of(whole_x),
                                    room_for<std::uint32_t>(count), buffer_of(line), buffer_of(whole_line)},
                        .threadgroup_memory = {},
                        .threadgroups = count / 128,
                        .threads = 128};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare("y", values_in<float>(results[1]), y);
    judge.compare_exactly("whole y", values_in<std::uint32_t>(results[3]), whole_y);
  });
}

Judgement check_residency_set(const Compute& compute, Bytes /*threadgroup_memory*/) {
  constexpr std::uint32_t count = 256;
  const std::vector<std::uint32_t> values = Numbers(11).words(count);
  const KernelCall call{
      .source = kernel_source("residency_set"),
      .function = "reverse_words",
      .buffers = {buffer_of(values), room_for<std::uint32_t>(count), buffer_of<std::uint32_t>({count})},
      .threadgroup_memory = {},
      .threadgroups = count / 64,
      .threads = 64,
      .needs_residency_set = true};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare_exactly("word", values_in<std::uint32_t>(results[1]), {values.rbegin(), values.rend()});
  });
}

}  // namespace metal_unlock
