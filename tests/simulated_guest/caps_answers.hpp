// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/gpu_family.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace metal_unlock {

/// What one device said to the questions that llama.cpp asks.
struct CapsAnswers {
  std::string name;
  std::map<GpuFamily, bool> families;
  std::uint64_t max_threadgroup_memory_length = 0;
  std::uint64_t recommended_max_working_set_size = 0;
  std::uint64_t max_buffer_length = 0;
  bool has_unified_memory = false;

  bool supports(std::uint32_t family) const;
};

/// What llama.cpp makes of the answers.
struct CapsGates {
  bool simdgroup_reduction = false;
  bool simdgroup_matrix = false;
  bool bfloat = false;
  bool tensor = false;  ///< before its trial compile, which no stand-in can do
  std::optional<GpuFamily> highest_apple;
  std::optional<GpuFamily> highest_common;
  std::optional<GpuFamily> highest_metal;
};

CapsGates gates_of(const CapsAnswers& answers);

/// Aligned `question   answer` lines, the same questions in the same order for every device.
std::string caps_text(const CapsAnswers& answers);

/// One JSON object on one line, without a newline.
std::string caps_json(const CapsAnswers& answers);

}  // namespace metal_unlock
