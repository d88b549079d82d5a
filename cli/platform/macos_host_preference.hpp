// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

namespace metal_unlock {

/// What this user's preferences store for ForceUnrestrictedDeviceFeatureLevel.
Result<PreferenceState> read_host_preference();

/// Stores true, or removes the preference; then reads it again.
Result<PreferenceState> write_host_preference(bool on);

}  // namespace metal_unlock
