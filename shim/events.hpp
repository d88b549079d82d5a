// SPDX-License-Identifier: MIT
#pragma once

#include "shim/handoff.hpp"
#include "shim/slot.hpp"

namespace metal_unlock::shim {

/// Whether every ivar of a device is set: while it is being made, only its families are.
enum class DeviceState : uint8_t { half_made, made };

// Each of these writes one event of docs/shim.md, or nothing where nobody asked for a report.

void report_loading(const Handoff& handoff) noexcept;
void report_metal(bool linked, bool present) noexcept;
void report_foreign_shim(const char* name, const char* found_in) noexcept;

/// What became of the class: overridden, or ineffective for want of a method. Once per class.
void report_class(Slot& slot) noexcept;
void report_device(const Slot& slot, id device, DeviceState state) noexcept;
/// `failed`: the question that does not get the claimed answer; null: none.
void report_verdict(const Slot& slot, const char* failed) noexcept;

/// Where the answer is another than stock, for the first time, and it is not the shim that asks.
void report_family(Slot& slot, id device, long family) noexcept;
void report_limit(Slot& slot, Question question, uint64_t stock) noexcept;

/// The highest Apple family that `device` supports without us; 0: none.
uint64_t highest_stock_family(const Slot& slot, id device) noexcept;

}  // namespace metal_unlock::shim
