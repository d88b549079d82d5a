// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

// Fills threadgroup memory up to its last word, waits, and reads in another order, so that nearly every word is read
// by another thread than wrote it; then moves the first words by one place.
// plan: number of words, step, shift, seed.
kernel void permute_words(device uint* results [[buffer(0)]], constant uint* plan [[buffer(1)]],
                          threadgroup uint* words [[threadgroup(0)]],
                          uint thread_index [[thread_position_in_threadgroup]],
                          uint threads [[threads_per_threadgroup]]) {
  const uint count = plan[0];
  for (uint i = thread_index; i < count; i += threads) words[i] = i * 2654435761u + plan[3];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = thread_index; i < count; i += threads) results[i] = words[(i * plan[1] + plan[2]) % count];
  const uint next = words[(thread_index + 1) % threads];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  words[thread_index] = next;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  results[count + thread_index] = words[threads - 1 - thread_index];
}
