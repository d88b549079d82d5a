// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

inline constexpr std::string_view preference_domain = "com.apple.gpusw.ParavirtualizedGraphics";
inline constexpr std::string_view preference_key = "ForceUnrestrictedDeviceFeatureLevel";

/// "not set", "true", "false", "neither true nor false".
std::string_view to_text(PreferenceState state);

/// The preference with what it affects, whether it is needed, and the command that changes it.
std::string host_preference_text(PreferenceState state);

/// What `enable` and `disable` did, and the command that undoes it.
std::string host_change_text(PreferenceState before, PreferenceState after);

}  // namespace metal_unlock
