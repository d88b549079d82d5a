// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// One number for each block of sixteen words, which lie words_between apart in a mapped file. A word that is stale or
// in another place changes it.
kernel void sum_blocks(device const uint* map [[buffer(0)]], device uint* sums [[buffer(1)]],
                       constant uint& words_between [[buffer(2)]], uint index [[thread_position_in_grid]]) {
  device const uint* block = map + ulong(index) * ulong(words_between);
  uint sum = 0;
  for (uint i = 0; i < 16; ++i) sum += block[i] * (2 * i + 1);
  sums[index] = sum;
}
