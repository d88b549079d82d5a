// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/host_report.hpp"
#include "cli/core/profile_library.hpp"
#include "cli/core/settings.hpp"

#include <optional>
#include <string>

namespace metal_unlock {

/// The most the physical chip can truthfully answer, and who says so.
struct Ceiling {
  Capabilities amounts;
  std::string origin;        ///< "profiles/families/apple7.toml (Apple M1 Ultra)"
  bool is_measured = false;  ///< by a host report of this chip
  bool operator==(const Ceiling&) const = default;
};

/// The profile for this start, why it was chosen, and what it is measured against.
struct Selection {
  Profile profile;
  bool is_named = false;  ///< by the user: a claim above the ceiling is then an error, not lowered
  std::string reason;     ///< "its match names the chip", "--profile"
  Ceiling ceiling;
  bool operator==(const Selection&) const = default;
};

/// What the user asked for, with the file's text where a path was given.
struct ProfileRequest {
  Setting<std::string> name;                ///< empty: choose by chip
  std::optional<Result<std::string>> text;  ///< of the file, where `name` is a path
};

/// The profile that was asked for by name or path; nothing where none was. Faults are the user's own.
Result<std::optional<Profile>> requested_profile(const ProfileLibrary& library,
                                                 const ProfileRequest& request);

/// The finding for a report about another chip than the one the guest names; nothing where they agree.
std::optional<Finding> check_host_report(const HostReport& report, std::string_view chip);

/// The finding for a report that was made under an older system than the guest's: the host may answer more by
/// now. Nothing where it is not older, or where that is not known.
std::optional<Finding> check_age(const HostReport& report, const Machine& guest);

/// Chooses: the requested profile, else the one that matches the chip. An unknown chip is never guessed
/// upward: it gets no profile, and a requested one is measured against the family that every Mac with Apple
/// silicon has. Where there is a host report, it is the ceiling.
Result<Selection> select(const ProfileLibrary& library, std::string_view chip, const ProfileRequest& request,
                         const std::optional<HostReport>& report = std::nullopt);

}  // namespace metal_unlock
