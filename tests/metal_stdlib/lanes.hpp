// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace metal_unlock::gpu {

inline constexpr unsigned lanes_in_group = 32;
inline constexpr std::size_t largest_value = 16;  ///< that a lane hands to the others

/// What the simulated GPU computes wrongly, where a fault asks for it.
struct Flaws {
  bool wrong_sum = false;              ///< one lane is left out of sums
  bool wrong_shuffle = false;          ///< one lane receives its neighbour's value
  bool wrong_matrix = false;           ///< the second factor is transposed
  std::size_t threadgroup_memory = 0;  ///< that there is; more lies on the beginning again. 0: enough
};

/// What the lanes of a SIMD group hold in common, at one point of the kernel that all of them have reached.
struct Exchange {
  const std::byte* values;  ///< one for each lane, `largest_value` apart
};

// What the threads of a kernel ask of the one that runs them. `line` is where they stand: threads that wait
// for each other in two places would never meet on a GPU, and are an error here.

/// Hands a value to the other lanes and waits for theirs. The answer is valid until the exchange after the
/// next.
Exchange exchange(const void* value, std::size_t size, int line);
void wait_for_threadgroup(int line);
void wait_for_simdgroup(int line);
unsigned lane();
const Flaws& flaws();

/// Where a thread stands in the grid, which has one dimension.
struct Place {
  unsigned thread_in_threadgroup;
  unsigned threadgroup_number;
  unsigned threads_in_threadgroup;
  unsigned threadgroups;
};
const Place& place();

}  // namespace metal_unlock::gpu
