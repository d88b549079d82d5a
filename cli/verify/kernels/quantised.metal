// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// 32 weights of four bits with one scale, laid out as llama.cpp's q4_0: the low halves of the bytes are the first
// sixteen weights, the high halves the other sixteen, and 8 stands for zero.
struct Block {
  half scale;
  uchar pairs[16];
};

// Each thread multiplies one row of quantised weights with the same factors.
kernel void quantised_dot(device const Block* rows [[buffer(0)]], device const float* factors [[buffer(1)]],
                          device float* products [[buffer(2)]], constant uint& blocks_in_row [[buffer(3)]],
                          uint row [[thread_position_in_grid]]) {
  float product = 0.0f;
  for (uint i = 0; i < blocks_in_row; ++i) {
    device const Block& block = rows[row * blocks_in_row + i];
    float sum = 0.0f;
    for (uint j = 0; j < 16; ++j) {
      sum += float(int(block.pairs[j] & 15) - 8) * factors[32 * i + j];
      sum += float(int(block.pairs[j] >> 4) - 8) * factors[32 * i + j + 16];
    }
    product += float(block.scale) * sum;
  }
  products[row] = product;
}
