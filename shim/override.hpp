// SPDX-License-Identifier: MIT
#pragma once

#include "shim/handoff.hpp"
#include "shim/slot.hpp"

namespace metal_unlock::shim {

/// Takes claims and class names. `handoff` must outlive the process. `seen` is called, before the answer,
/// with a device that is being made and with one that is asked a claimed question for the first time.
void begin_overrides(const Handoff& handoff, void (*seen)(id device)) noexcept;

/// What the handoff claims: a family, or bytes; 0: no claim.
uint64_t claim_for(Question question) noexcept;

/// What a smaller GPU answers that the handoff has simulated: a family, or bytes; 0: none is.
uint64_t simulated_for(Question question) noexcept;

/// Whether the handoff claims or simulates an answer to this question.
bool is_answered(Question question) noexcept;

/// Overrides every class of the handoff that the runtime knows by now.
void override_loaded_classes() noexcept;

/// Overrides `-[_MTLDevice initGPUFamilySupport]`, which every device calls while it is made. False where
/// `_MTLDevice` has no such method of its own.
bool override_device_init() noexcept;

/// The slot whose class `cls` is or inherits from, overridden by now; null where there is none.
Slot* slot_of(Class cls) noexcept;

/// A claimed method that the slot's class does not have, so that nothing of it is overridden; null: none.
const char* missing_method(const Slot& slot) noexcept;

/// What `device` answers without us, to a claimed question of a class that is overridden.
bool stock_family(const Slot& slot, id device, long family) noexcept;
uint64_t stock_limit(const Slot& slot, id device, Question question) noexcept;

/// Whether a message sent to an object of `cls` reaches the slot's override.
bool is_dispatched(const Slot& slot, Class cls, Question question) noexcept;

}  // namespace metal_unlock::shim
