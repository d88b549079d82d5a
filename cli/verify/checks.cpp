// SPDX-License-Identifier: MIT
#include "cli/verify/checks.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

// Every Apple GPU runs the first ones: they show that the device computes at all, and as it did before it
// claimed more.
constexpr GpuFamily every_family{1001};
constexpr GpuFamily apple6{1006};
constexpr GpuFamily apple7{1007};

constexpr std::array<Check, 12> checks{{
    {"trivial", "a kernel at all", every_family, check_trivial},
    {"custom", "arithmetic in a kernel", every_family, check_custom},
    {"quantised", "dot product of 4-bit weights", every_family, check_quantised},
    {"mapped-file", "buffers over mapped files", every_family, check_mapped_file},
    {"threadgroup-memory", "threadgroup memory of the claimed size", every_family, check_threadgroup_memory},
    {"residency-set", "residency sets", every_family, check_residency_set},
    {"simd-shuffle", "SIMD-group shuffles", apple6, check_simd_shuffle},
    {"bfloat", "bfloat numbers", apple6, check_bfloat},
    {"simd-sum", "SIMD-group reductions", apple7, check_simd_sum},
    {"matrix-float", "SIMD-group matrices, float", apple7, check_matrix_float},
    {"matrix-half", "SIMD-group matrices, half", apple7, check_matrix_half},
    {"matrix-bfloat", "SIMD-group matrices, bfloat", apple7, check_matrix_bfloat},
}};

}  // namespace

std::span<const Check> all_checks() { return checks; }

const Check* find_check(std::string_view name) {
  const auto* const found =
      std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
  return found == checks.end() ? nullptr : found;
}

Judgement judge_call(
    const Compute& compute, const KernelCall& call,
    const std::function<void(Judge& judge, const std::vector<std::string>& results)>& judge) {
  const KernelResult result = compute(call);
  if (const auto* const refusal = std::get_if<KernelRefusal>(&result)) return judgement_of(*refusal);
  Judge made;
  judge(made, std::get<std::vector<std::string>>(result));
  return made.judgement();
}

}  // namespace metal_unlock
