// SPDX-License-Identifier: MIT
#pragma once

#include "shim/answers.hpp"
#include "shim/handoff.hpp"

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

/// What the handoff and the report call a claim to a question's answer.
inline constexpr const char* claim_names[question_count] = {"apple-family", "max-threadgroup-memory",
                                                            "recommended-max-working-set"};

/// One class named in the handoff. Several threads may use it: all but the name is accessed atomically.
struct Slot {
  const char* class_name = nullptr;
  IMP originals[question_count] = {};  ///< each is published before the override that calls it
  const char* missing = nullptr;  ///< a claimed method that the class does not have: nothing is overridden
  uint8_t is_overridden = 0;      ///< 1: every override is in place
  uint8_t is_announced = 0;       ///< 1: the report says so, or says which method is missing
  uint8_t is_met = 0;             ///< 1: a device of the class has been seen
  uint64_t own_question = 0;      ///< the thread in which the shim itself asks a device of the class
  uint8_t told_limits[question_count] = {};  ///< 1: answered differently before
  uint8_t told_families[last_apple_family - first_apple_family + 1] =
      {};  ///< 1: a claimed family asked for before
};

/// Takes claims and class names. `handoff` must outlive the process.
void begin_overrides(const Handoff& handoff) noexcept;

/// What the handoff claims: a family, or bytes; 0: no claim.
uint64_t claim_for(Question question) noexcept;

/// A claimed method that the slot's class does not have, so that nothing of it is overridden; null: none.
const char* missing_method(const Slot& slot) noexcept;

/// Overrides every class of the handoff that the runtime knows by now.
void override_loaded_classes() noexcept;

/// Overrides `-[_MTLDevice initGPUFamilySupport]`, which every device calls while it is made: `made` is
/// called after the original. False where `_MTLDevice` has no such method of its own.
bool override_device_init(void (*made)(id device)) noexcept;

/// The slot whose class `cls` is or inherits from, that class being overridden by now; null where there is
/// none.
Slot* slot_of(Class cls) noexcept;

/// What `device` answers without us, to a claimed question that is not missing in its class.
bool stock_family(const Slot& slot, id device, long family) noexcept;
uint64_t stock_limit(const Slot& slot, id device, Question question) noexcept;

/// Whether a message sent to an object of `cls` reaches the slot's override.
bool is_dispatched(const Slot& slot, Class cls, Question question) noexcept;

/// A number for the calling thread, never 0.
uint64_t this_thread() noexcept;

/// True for the first caller only, whichever thread that is.
inline bool is_first(uint8_t& mark) noexcept {
  return __atomic_load_n(&mark, __ATOMIC_RELAXED) == 0 &&
         __atomic_exchange_n(&mark, 1, __ATOMIC_RELAXED) == 0;
}

}  // namespace metal_unlock::shim
