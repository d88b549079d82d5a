// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/gpu_family.hpp"
#include "cli/verify/kernel_call.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// What came out of a check that ran to its end. Crashes and time limits are seen from outside. Absent is no
/// failure: this version of the system has no such thing (residency sets before macOS 15), so that no program
/// relies on it.
enum class Outcome : std::uint8_t { correct, wrong, refused, no_device, absent };

/// A result held against the reference on the CPU.
struct Judgement {
  Outcome outcome = Outcome::correct;
  double largest_error = 0;  ///< of the element that uses up most of its tolerance, or exceeds it most
  double tolerance = 0;      ///< of that element; 0 where a result is right or wrong
  std::string where;         ///< of an error: "sum, element 17: 0 instead of 3.5"; or Metal's words

  bool operator==(const Judgement&) const = default;
};

/// Runs one call on the GPU.
using Compute = std::function<KernelResult(const KernelCall&)>;

/// One capability put to the test: its inputs come from a fixed seed, its reference is computed here.
struct Check {
  std::string_view name;        ///< kebab-case, stable: "matrix-half"
  std::string_view capability;  ///< for people: "SIMD-group matrices, half"
  GpuFamily since;              ///< the family whose claim makes programs rely on it
  Judgement (*run)(const Compute& compute, Bytes threadgroup_memory);  ///< the claimed size, or stock
};

/// All checks, the trivial kernel first: it is the one that is tried again after a failure.
std::span<const Check> all_checks();
const Check* find_check(std::string_view name);

}  // namespace metal_unlock
