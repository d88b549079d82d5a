// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/profile.hpp"

#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// One line for each profile: name, family, chips it matches, where it comes from, how sure it is. The one
/// that matches `chip` has a star.
std::string profile_list_text(std::span<const Profile> profiles, std::string_view chip);

/// Everything about one profile, each claim with the file it comes from. `before` is put in front.
std::string profile_text(const Profile& profile, std::string_view before);

}  // namespace metal_unlock
