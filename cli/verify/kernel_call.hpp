// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace metal_unlock {

inline constexpr Bytes spread_block{64};

/// What a kernel reads or writes, bound at the index of its place in the call.
struct KernelBuffer {
  std::string bytes;
  bool is_mapped = false;  ///< a no-copy buffer over a mapped file with these bytes, not a copy of them
  /// Of a mapped file: where not 0, its blocks of `spread_block` bytes lie this far apart in the file, and
  /// nothing lies between them. A file may so be larger than the memory.
  Bytes spacing = {};
};

/// One dispatch of one function.
struct KernelCall {
  std::string_view source;  ///< Metal Shading Language, the whole of it
  std::string_view function;
  std::vector<KernelBuffer> buffers;
  Bytes threadgroup_memory;  ///< bound at threadgroup index 0 where it is not 0
  unsigned threadgroups = 1;
  unsigned threads = 32;             ///< in each threadgroup
  bool needs_residency_set = false;  ///< the buffers are put into a residency set of their own first
};

/// How far a call came; absent: this version of the system has no such thing, so that no program can rely on
/// it.
enum class KernelStage : std::uint8_t { absent, device, buffers, residency_set, library, pipeline, command };

/// Why a call has no result: Metal said no, and where.
struct KernelRefusal {
  KernelStage stage = KernelStage::device;
  std::string words;  ///< Metal's own, one line
};

/// The bytes of all buffers after the call, or why there are none.
using KernelResult = std::variant<std::vector<std::string>, KernelRefusal>;

}  // namespace metal_unlock
