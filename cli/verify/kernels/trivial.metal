// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// The least that a GPU can do: every thread writes a number that only it can know.
kernel void write_index(device uint* numbers [[buffer(0)]], uint index [[thread_position_in_grid]]) {
  numbers[index] = index * 2654435761u + 1u;
}
