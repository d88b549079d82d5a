// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// Reads and writes buffers that are resident by way of a set.
kernel void reverse_words(device const uint* values [[buffer(0)]], device uint* reversed [[buffer(1)]],
                          constant uint& count [[buffer(2)]], uint index [[thread_position_in_grid]]) {
  reversed[index] = values[count - 1 - index];
}
