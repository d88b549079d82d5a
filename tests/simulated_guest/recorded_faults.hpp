// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// How a simulated GPU can be at fault: the words of "faults" in a recorded guest.
enum class FaultKind : std::uint8_t {
  wrong_sum,                 ///< simd_sum leaves a lane out
  wrong_shuffle,             ///< simd_shuffle gives one lane its neighbour's value
  wrong_matrix,              ///< simdgroup_multiply_accumulate takes the second factor transposed
  zeros,                     ///< the kernel does not run, and what it should write is zero
  stale_map,                 ///< a mapped file of more than `above` bytes is seen as zeros
  short_threadgroup_memory,  ///< of threadgroup memory of more than `above` bytes, the end lies on the
                             ///< beginning
  crash,                     ///< the process ends with a signal
  hang,                      ///< the command never completes
  wedge,             ///< the command fails, and from then on everything does, until the guest is restarted
  compile_failure,   ///< the source does not compile
  no_bfloat,         ///< the compiler does not know bfloat
  no_residency_set,  ///< Metal makes no residency set
};

struct Fault {
  FaultKind kind;
  std::string kernel;       ///< the function that it hits; empty: every one
  std::uint64_t above = 0;  ///< bytes

  bool hits(std::string_view function) const { return kernel.empty() || kernel == function; }
};

using Faults = std::vector<Fault>;

/// The fault of a kind that hits this function; nothing where there is none.
const Fault* find_fault(const Faults& faults, FaultKind kind, std::string_view function);

/// Reads "faults" of a guest file: [{"fault": "wrong-sum", "kernel": "sum_of_lanes"}]. A word that is
/// misspelt is a finding with the words there are. A guest without the key has none. "expected"
/// beside it is for tests: the checks that fail, and as what.
Result<Faults> parse_faults(std::string_view text, std::string_view name);

}  // namespace metal_unlock
