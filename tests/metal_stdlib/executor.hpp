// SPDX-License-Identifier: MIT
#pragma once

#include "tests/metal_stdlib/lanes.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace metal_unlock::gpu {

struct Dispatch {
  unsigned threadgroups = 1;
  unsigned threads = 32;  ///< in each threadgroup; whole SIMD groups
  std::size_t threadgroup_memory = 0;
  Flaws flaws;
};

/// What one thread does. The argument is the memory of its threadgroup, of exactly the size of the dispatch.
using ThreadBody = std::function<void(std::byte* threadgroup_memory)>;

/// Runs every thread of every threadgroup to its end: the lanes of a SIMD group meet where they exchange
/// values, the threads of a threadgroup at its barriers. The answer says where threads do not meet, or where
/// threadgroup memory was written beyond its end; empty is fine.
std::string execute(const Dispatch& dispatch, const ThreadBody& body);

/// A kernel as the reader of a source found and compiled it.
struct Kernel {
  const char* source;    ///< the whole text, by which it is found
  const char* function;  ///< its name in that text
  unsigned written;      ///< a bit for each buffer that is not const
  unsigned buffers;      ///< that it takes
  /// One thread of it.
  void (*run)(std::byte* const* buffers, std::byte* threadgroup_memory);
};

/// All kernels that are linked in.
std::span<const Kernel> kernels();

/// Kernels with one mistake each, in the order of mutations.tsv; only in the test of mutations.
std::span<const Kernel> mutants();

}  // namespace metal_unlock::gpu
