// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// C = A * B in tiles of 8 by 8, one SIMD group for each tile of C, in half, accumulated in float as llama.cpp does.
// A has sizes[0] columns, B and C have sizes[1]; all three lie row after row.
kernel void matrix_half(device const half* a [[buffer(0)]], device const half* b [[buffer(1)]],
                         device float* c [[buffer(2)]], constant uint* sizes [[buffer(3)]],
                         uint tile [[threadgroup_position_in_grid]]) {
  const uint depth = sizes[0];
  const uint columns = sizes[1];
  const uint row = tile / (columns / 8) * 8;
  const uint column = tile % (columns / 8) * 8;
  simdgroup_matrix<float, 8, 8> sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < depth; k += 8) {
    simdgroup_matrix<half, 8, 8> left;
    simdgroup_matrix<half, 8, 8> right;
    simdgroup_load(left, a + row * depth + k, depth);
    simdgroup_load(right, b + k * columns + column, columns);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + row * columns + column, columns);
}
