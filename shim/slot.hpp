// SPDX-License-Identifier: MIT
#pragma once

#include "shim/answers.hpp"

#include <objc/objc.h>
#include <objc/runtime.h>

#include <stddef.h>
#include <stdint.h>

namespace metal_unlock::shim {

/// A question that Metal's device is asked and that the shim may answer.
enum Question : uint8_t { supports_family, max_threadgroup_memory, recommended_max_working_set };
inline constexpr Question questions[] = {supports_family, max_threadgroup_memory,
                                         recommended_max_working_set};
inline constexpr size_t question_count = sizeof questions;
inline constexpr const char* question_names[question_count] = {
    "supportsFamily:", "maxThreadgroupMemoryLength", "recommendedMaxWorkingSetSize"};

/// What the handoff and the report call the answer to a question.
inline constexpr const char* claim_names[question_count] = {"apple-family", "max-threadgroup-memory",
                                                            "recommended-max-working-set"};

/// A mark that is set once. Zero-initialised, so that it is ready before any constructor runs.
class Mark {
 public:
  bool is_set() const noexcept { return __atomic_load_n(&set_, __ATOMIC_ACQUIRE) != 0; }
  void set() noexcept { __atomic_store_n(&set_, 1, __ATOMIC_RELEASE); }
  /// True for the first caller only, whichever thread that is.
  bool set_first() noexcept { return !is_set() && __atomic_exchange_n(&set_, 1, __ATOMIC_ACQ_REL) == 0; }

 private:
  uint8_t set_ = 0;
};

/// One class named in the handoff. Several threads use it at a time: all but the name is accessed atomically.
struct Slot {
  const char* class_name = nullptr;
  IMP originals[question_count] = {};  ///< each is published before the override that calls it
  const char* missing = nullptr;     ///< a claimed method that the class does not have: nothing is overridden
  Mark is_overridden;                ///< every override is in place
  Mark is_announced;                 ///< the report says what became of the class
  Mark is_met;                       ///< a device of the class has been seen
  uint64_t asking_thread = 0;        ///< the thread in which the shim itself asks; 0: none
  Mark told_limits[question_count];  ///< answered differently before
  Mark told_families[last_apple_family - first_apple_family + 1];  ///< claimed families asked for before
};

}  // namespace metal_unlock::shim
