// SPDX-License-Identifier: MIT
#include "cli/verify/checks.hpp"
#include "cli/verify/kernel_sources.hpp"
#include "cli/verify/number_formats.hpp"

#include <cmath>

namespace metal_unlock {
namespace {

constexpr std::size_t lanes = 32;
constexpr std::size_t count = 8 * lanes;

/// Two SIMD groups in each threadgroup, so that one that reaches into the other is found out.
KernelCall call_of(std::string_view source, std::string_view function, std::vector<KernelBuffer> buffers) {
  return {.source = kernel_source(source),
          .function = function,
          .buffers = std::move(buffers),
          .threadgroup_memory = {},
          .threadgroups = count / (2 * lanes),
          .threads = 2 * lanes};
}

/// 32 terms in any order: each of the 31 additions may be off by epsilon times what has come together by
/// then, which is never more than the sum of all magnitudes.
Expected sum_of(const std::vector<float>& values, std::size_t first) {
  double sum = 0;
  double magnitudes = 0;
  for (std::size_t i = first; i < first + lanes; ++i) {
    sum += double{values[i]};
    magnitudes += std::abs(double{values[i]});
  }
  return {sum, (lanes - 1) * float_epsilon * magnitudes};
}

std::uint32_t whole_sum_of(const std::vector<std::uint32_t>& values, std::size_t first) {
  std::uint32_t sum = 0;
  for (std::size_t i = first; i < first + lanes; ++i) sum += values[i];
  return sum;
}

}  // namespace

Judgement check_simd_sum(const Compute& compute, Bytes /*threadgroup_memory*/) {
  Numbers numbers(3);
  const std::vector<float> values = numbers.fractions(count);
  const std::vector<std::uint32_t> whole_values = numbers.words(count);
  std::vector<Expected> sums;
  std::vector<std::uint32_t> whole_sums;
  for (std::size_t i = 0; i < count; ++i) {
    sums.push_back(sum_of(values, i / lanes * lanes));
    whole_sums.push_back(whole_sum_of(whole_values, i / lanes * lanes));
  }
  const KernelCall call = call_of(
      "simd_sum", "sum_of_lanes",
      {buffer_of(values), room_for<float>(count), buffer_of(whole_values), room_for<std::uint32_t>(count)});
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare("sum", values_in<float>(results[1]), sums);
    judge.compare_exactly("whole sum", values_in<std::uint32_t>(results[3]), whole_sums);
  });
}

Judgement check_simd_shuffle(const Compute& compute, Bytes /*threadgroup_memory*/) {
  const std::vector<std::uint32_t> values = Numbers(4).words(count);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t lane = i % lanes;
    const std::uint32_t* const group = values.data() + (i - lane);
    expected.insert(expected.end(),
                    {group[(lane * 5 + 3) % lanes], group[19], group[lane ^ 9],
                     group[lane + 4 < lanes ? lane + 4 : lane], group[lane >= 3 ? lane - 3 : lane]});
  }
  const KernelCall call =
      call_of("simd_shuffle", "shuffle_lanes", {buffer_of(values), room_for<std::uint32_t>(expected.size())});
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare_exactly("lane's value", values_in<std::uint32_t>(results[1]), expected);
  });
}

}  // namespace metal_unlock
