// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/check.hpp"
#include "cli/verify/inputs.hpp"
#include "cli/verify/judging.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

// One function for each row of all_checks(). Each stands beside the reference that it computes; how the
// tolerances come about is told in docs/verify-kernels.md.

Judgement check_trivial(const Compute& compute, Bytes threadgroup_memory);
Judgement check_custom(const Compute& compute, Bytes threadgroup_memory);
Judgement check_simd_sum(const Compute& compute, Bytes threadgroup_memory);
Judgement check_simd_shuffle(const Compute& compute, Bytes threadgroup_memory);
Judgement check_matrix_float(const Compute& compute, Bytes threadgroup_memory);
Judgement check_matrix_half(const Compute& compute, Bytes threadgroup_memory);
Judgement check_matrix_bfloat(const Compute& compute, Bytes threadgroup_memory);
Judgement check_bfloat(const Compute& compute, Bytes threadgroup_memory);
Judgement check_quantised(const Compute& compute, Bytes threadgroup_memory);
Judgement check_threadgroup_memory(const Compute& compute, Bytes threadgroup_memory);
Judgement check_mapped_file(const Compute& compute, Bytes threadgroup_memory);
Judgement check_residency_set(const Compute& compute, Bytes threadgroup_memory);

/// Runs a call, and judges what comes out of it where something does.
Judgement judge_call(const Compute& compute, const KernelCall& call,
                     const std::function<void(Judge& judge, const std::vector<std::string>& results)>& judge);

}  // namespace metal_unlock
