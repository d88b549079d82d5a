// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// Each lane reads what other lanes hold: by number, by one lane for all, by exclusive or, and by distance. Lanes
// that a distance leads out of the SIMD group keep their own value.
kernel void shuffle_lanes(device const uint* values [[buffer(0)]], device uint* results [[buffer(1)]],
                          uint index [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  const uint value = values[index];
  device uint* result = results + 5 * index;
  result[0] = simd_shuffle(value, ushort((lane * 5 + 3) % 32));
  result[1] = simd_broadcast(value, ushort(19));
  result[2] = simd_shuffle_xor(value, ushort(9));
  const uint later = simd_shuffle_down(value, ushort(4));
  result[3] = lane + 4 < 32 ? later : value;
  const uint earlier = simd_shuffle_up(value, ushort(3));
  result[4] = lane >= 3 ? earlier : value;
}
