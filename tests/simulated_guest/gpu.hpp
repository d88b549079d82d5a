// SPDX-License-Identifier: MIT
#pragma once

#include "tests/simulated_guest/recorded_faults.hpp"

#include <cstddef>
#include <string>

// The simulated GPU is a library of its own, which the stand-in for Metal opens when something is computed
// for the first time: whoever only asks the device does not pay for it.

namespace metal_unlock {

/// What is handed to it.
struct GpuCommand {
  std::byte* const* buffers;  ///< one for each index
  const std::size_t* sizes;
  std::size_t buffer_count;
  std::size_t threadgroup_memory;
  unsigned threadgroups;
  unsigned threads;  ///< in each threadgroup
};

/// How long a sentence may be.
inline constexpr std::size_t gpu_sentence_size = 256;

inline constexpr char gpu_library[] = "libSimulatedGpu.so";

/// The number of a kernel; negative where no compiled source is this text, or it has no such function.
inline constexpr char find_kernel_name[] = "simulated_gpu_find_kernel";
using FindKernel = int(const char* source, const char* function);

/// Runs it. A sentence in `trouble` says why it did not end; empty where it did.
inline constexpr char run_kernel_name[] = "simulated_gpu_run_kernel";
using RunKernel = void(int number, const GpuCommand& command, const Faults& faults, char* trouble);

}  // namespace metal_unlock
