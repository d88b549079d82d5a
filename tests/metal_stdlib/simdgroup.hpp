// SPDX-License-Identifier: MIT
#pragma once

#include "tests/metal_stdlib/lanes.hpp"

#include <cstring>
#include <type_traits>

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2 };

inline void threadgroup_barrier(mem_flags, int line = __builtin_LINE()) {
  metal_unlock::gpu::wait_for_threadgroup(line);
}

inline void simdgroup_barrier(mem_flags, int line = __builtin_LINE()) {
  metal_unlock::gpu::wait_for_simdgroup(line);
}

/// The values of all lanes, each of which calls this with its own.
template <class Value>
class lane_values {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= metal_unlock::gpu::largest_value);

 public:
  lane_values(Value own, int line) : exchange_(metal_unlock::gpu::exchange(&own, sizeof own, line)) {}

  Value operator[](unsigned lane) const {
    Value value;
    std::memcpy(&value, exchange_.values + metal_unlock::gpu::largest_value * (lane % lane_count),
                sizeof value);
    return value;
  }

  static constexpr unsigned lane_count = metal_unlock::gpu::lanes_in_group;

 private:
  metal_unlock::gpu::Exchange exchange_;
};

/// As a tree, which is how the lanes of a GPU add: neighbours first.
template <class Value>
Value simd_sum(Value own, int line = __builtin_LINE()) {
  constexpr unsigned left_out = 17;
  const lane_values<Value> all(own, line);
  Value sums[lane_values<Value>::lane_count];
  for (unsigned i = 0; i < lane_values<Value>::lane_count; ++i)
    sums[i] = metal_unlock::gpu::flaws().wrong_sum && i == left_out ? Value{} : all[i];
  for (unsigned step = 1; step < lane_values<Value>::lane_count; step *= 2)
    for (unsigned i = 0; i < lane_values<Value>::lane_count; i += 2 * step)
      sums[i] = static_cast<Value>(sums[i] + sums[i + step]);
  return sums[0];
}

template <class Value>
Value simd_shuffle(Value own, unsigned short from, int line = __builtin_LINE()) {
  constexpr unsigned wrong_lane = 13;
  const unsigned receiver = metal_unlock::gpu::lane();
  const bool is_wrong = metal_unlock::gpu::flaws().wrong_shuffle && receiver == wrong_lane;
  return lane_values<Value>(own, line)[from + (is_wrong ? 1U : 0U)];
}

template <class Value>
Value simd_broadcast(Value own, unsigned short from, int line = __builtin_LINE()) {
  return simd_shuffle(own, from, line);
}

template <class Value>
Value simd_shuffle_xor(Value own, unsigned short mask, int line = __builtin_LINE()) {
  return simd_shuffle(own, static_cast<unsigned short>(metal_unlock::gpu::lane() ^ mask), line);
}

/// Where the distance leads out of the SIMD group Metal promises nothing; here it is the lane at the other
/// end.
template <class Value>
Value simd_shuffle_down(Value own, unsigned short distance, int line = __builtin_LINE()) {
  return simd_shuffle(own, static_cast<unsigned short>(metal_unlock::gpu::lane() + distance), line);
}

template <class Value>
Value simd_shuffle_up(Value own, unsigned short distance, int line = __builtin_LINE()) {
  const unsigned from = metal_unlock::gpu::lane() + lane_values<Value>::lane_count - distance;
  return simd_shuffle(own, static_cast<unsigned short>(from), line);
}

}  // namespace metal
