// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What to do where the unlock is not possible.
enum class Policy : std::uint8_t {
  prefer,   ///< say why, start the target stock
  require,  ///< refuse with 125
  off,      ///< start the target untouched, whatever the machine
};

std::string_view to_text(Policy policy);
std::optional<Policy> policy_named(std::string_view word);

/// A value and where it was set: "--profile", "METAL_UNLOCK_PROFILE", "/home/me/app/.metal-unlock.toml:2",
/// "default".
template <class T>
struct Setting {
  T value{};
  std::string origin = "default";
  bool operator==(const Setting&) const = default;
};

/// Whether a profile setting is a path: it has a slash, or ends in ".toml".
bool is_profile_path(std::string_view name);

struct Settings {
  Setting<Policy> policy{Policy::prefer};
  Setting<std::string>
      profile;  ///< a name or, from the command line or environment, a path; empty: chosen by chip
  Setting<std::string> host_report;  ///< path of the file; empty: none
  Setting<bool> children{false};     ///< processes that the target starts are unlocked too
  Setting<bool> verify{false};       ///< unlocked only where the GPU computes what is claimed
  Setting<std::string> min_version;
  std::vector<Finding> findings;  ///< what was wrong with the sources, worst first

  bool operator==(const Settings&) const = default;
};

/// A configuration file: where it is and its text, or why it cannot be read.
struct ConfigText {
  enum class Kind : std::uint8_t { user, project };
  Kind kind = Kind::user;
  std::string path;
  bool is_named = false;  ///< by METAL_UNLOCK_CONFIG: a fault is then the user's own mistake
  Result<std::string> text;
};

/// What the command line says; nothing where an option was not given.
struct SettingFlags {
  std::optional<std::string> profile;
  bool require = false;
  bool children = false;
  std::optional<std::string> host_report = std::nullopt;
  bool verify = false;
};

/// Joins all sources: flags before environment before project file before user file before defaults.
/// A project file may set `profile`, `policy` and `min_version` only, since it may come with a repository
/// that somebody else wrote. In no file `profile` is a path: it would be read from whatever folder one is in.
/// `version` is this program's.
Settings resolve_settings(const SettingFlags& flags, const Environment& environment,
                          const std::vector<ConfigText>& files, std::string_view version);

/// Whether version `has` ("0.1.0") is at least `wants`; nothing where either is no version.
std::optional<bool> is_at_least(std::string_view has, std::string_view wants);

/// Whether a build of macOS ("25F84") came before another one; false where either is no build.
bool is_older_build(std::string_view has, std::string_view wants);

}  // namespace metal_unlock
