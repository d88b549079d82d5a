// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/profile.hpp"
#include "cli/core/result.hpp"
#include "profiles/built_in_profiles.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// A file of the user's profile folder: its text, or why it could not be read.
struct UserProfile {
  std::string path;
  Result<std::string> text;
};

/// A profile's name and where it comes from, without reading it.
struct ProfileEntry {
  std::string name;
  std::string path;
  ProfileLayer layer = ProfileLayer::built_in;
};

/// All profiles by name. A user's file replaces the built-in one of the same name, which it may extend.
/// A file is parsed when it is asked for, so that `run` reads the two or three it needs.
class ProfileLibrary {
 public:
  ProfileLibrary(std::span<const BuiltInProfile> built_in, std::vector<UserProfile> user);

  /// The profile of that name with everything it inherits.
  Result<Profile> load(std::string_view name) const;

  /// A profile from a file named on the command line; its parents come from the library.
  Result<Profile> load_text(std::string_view text, std::string_view path) const;

  /// The profile whose `match` names the chip: a user's before a built-in one, nothing where none does.
  /// A user's file that cannot be read or parsed is a finding, since it might have been the one.
  Result<std::optional<Profile>> matching(std::string_view chip) const;

  /// The built-in profile whose `match` names the chip.
  Result<std::optional<Profile>> built_in_matching(std::string_view chip) const;

  /// The family that every Mac with Apple silicon has.
  Result<Profile> fallback() const;

  /// Every name once, sorted; a replaced built-in is not listed.
  std::vector<ProfileEntry> entries() const;

 private:
  Result<ProfileFile> read(std::string_view name, ProfileLayer highest) const;
  Result<Profile> inherit(ProfileFile file) const;
  Result<std::optional<Profile>> first_built_in(std::string_view needle,
                                                bool (*is_wanted)(const ProfileFile&,
                                                                  std::string_view)) const;

  std::span<const BuiltInProfile> built_in_;
  std::vector<UserProfile> user_;
};

}  // namespace metal_unlock
