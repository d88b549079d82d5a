// SPDX-License-Identifier: MIT
#pragma once

#include "shim/events.hpp"

namespace metal_unlock::shim {

/// Overrides the class of `device`, and the first time a device of that class is seen asks it through the
/// front door, as a program would, whether the override is effective. Under `require` an ineffective one ends
/// the process.
void meet_device(const Handoff& handoff, id device, DeviceState state) noexcept;

/// Has Metal, which must be in the process, make its devices, and meets them.
void meet_every_device(const Handoff& handoff) noexcept;

}  // namespace metal_unlock::shim
