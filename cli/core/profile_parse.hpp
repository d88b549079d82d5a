// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/profile.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace metal_unlock {

/// The version of the profile format that this program reads.
inline constexpr int profile_schema = 1;

/// Largest profile, configuration or host report that is read at all.
inline constexpr Bytes largest_text_file{std::uint64_t{256} * 1024};

/// What a profile file gives a name to: `profiles/chips/m1.toml` is "m1".
std::string profile_name_of(std::string_view path);

/// Reads one profile file. The finding (profile-invalid or claim-refused) says file, line, column and reason.
Result<ProfileFile> parse_profile(std::string_view text, std::string_view path, ProfileLayer layer);

}  // namespace metal_unlock
