// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// Numbers to bfloat (since MSL 3.1) and back, and a product of two of them.
kernel void bfloat_round_trip(device const float* values [[buffer(0)]], device float* returned [[buffer(1)]],
                              device ushort* bits [[buffer(2)]], device bfloat* products [[buffer(3)]],
                              uint index [[thread_position_in_grid]]) {
  const bfloat narrow = bfloat(values[index]);
  returned[index] = float(narrow);
  bits[index] = as_type<ushort>(narrow);
  products[index] = narrow * bfloat(1.5f);
}
