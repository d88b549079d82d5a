// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// y = a * x + b over several threadgroups, in floating point and in integers: no SIMD group, no shared memory.
kernel void straight_line(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                          device const int* whole_x [[buffer(2)]], device int* whole_y [[buffer(3)]],
                          constant float* line [[buffer(4)]], constant int* whole_line [[buffer(5)]],
                          uint index [[thread_position_in_grid]]) {
  y[index] = line[0] * x[index] + line[1];
  whole_y[index] = whole_line[0] * whole_x[index] + whole_line[1];
}
