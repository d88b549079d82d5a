// SPDX-License-Identifier: MIT
#pragma once

#include "shim/handoff.hpp"

#include <objc/objc.h>

namespace metal_unlock::shim {

/// Whether every ivar of a device is set: while it is being made, only its families are.
enum class DeviceState : uint8_t { half_made, made };

/// Overrides the class of `device`, and the first time a device of that class is seen asks it through the
/// front door, as a program would, whether the override is effective. Under `require` an ineffective one ends
/// the process.
void meet_device(const Handoff& handoff, id device, DeviceState state) noexcept;

/// Has Metal, which must be in the process, make its devices, and meets them.
void meet_every_device(const Handoff& handoff) noexcept;

}  // namespace metal_unlock::shim
