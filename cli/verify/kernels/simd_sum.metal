// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// Every lane of a SIMD group receives the sum over all of its lanes.
kernel void sum_of_lanes(device const float* values [[buffer(0)]], device float* sums [[buffer(1)]],
                         device const int* whole_values [[buffer(2)]], device int* whole_sums [[buffer(3)]],
                         uint index [[thread_position_in_grid]]) {
  sums[index] = simd_sum(values[index]);
  whole_sums[index] = simd_sum(whole_values[index]);
}
