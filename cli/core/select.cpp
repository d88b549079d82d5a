// SPDX-License-Identifier: MIT
#include "cli/core/select.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <utility>

namespace metal_unlock {
namespace {

/// The file that states a profile's ceiling: the last of its lineage, or itself.
std::string ceiling_origin(const Profile& profile, std::string_view chip) {
  const std::string& family = profile.lineage.empty() ? profile.name : profile.lineage.back();
  return formatted("{} ({})", family, chip);
}

/// A built-in profile knows its chip better than a user's file that happens to claim the same chip. `chosen`
/// is the profile that will be used: the built-in one, most of the time, and then there is nothing to look
/// for.
Result<Ceiling> ceiling_for(const ProfileLibrary& library, std::string_view chip, const Profile& chosen) {
  const bool matches = std::ranges::find(chosen.match, chip) != chosen.match.end();
  if (matches && chosen.layer == ProfileLayer::built_in)
    return Ceiling{chosen.ceiling, ceiling_origin(chosen, chip)};
  const Result<std::optional<Profile>> known = library.built_in_matching(chip);
  if (!known) return known.finding();
  if (*known) return Ceiling{(*known)->ceiling, ceiling_origin(**known, chip)};
  const Result<std::optional<Profile>> users = library.matching(chip);
  if (!users) return users.finding();
  if (*users && !(*users)->ceiling.empty()) return Ceiling{(*users)->ceiling, ceiling_origin(**users, chip)};
  const Result<Profile> fallback = library.fallback();
  if (!fallback) return fallback.finding();
  return Ceiling{fallback->ceiling, formatted("{} (every Mac with Apple silicon)", fallback->name)};
}

}  // namespace

Result<std::optional<Profile>> requested_profile(const ProfileLibrary& library,
                                                 const ProfileRequest& request) {
  if (request.name.value.empty()) return std::optional<Profile>{};
  Result<Profile> profile = [&]() -> Result<Profile> {
    if (!request.text) return library.load(request.name.value);
    if (!*request.text) return request.text->finding();
    return library.load_text(**request.text, request.name.value);
  }();
  if (profile) return std::optional{*std::move(profile)};
  Finding finding = profile.finding();
  finding.sentence += formatted(" (set by {})", request.name.origin);
  return finding;
}

std::optional<Finding> check_host_report(const HostReport& report, std::string_view chip) {
  if (report.chip == chip) return std::nullopt;
  return Finding{
      FindingId::host_report_other_chip,
      formatted("host report '{}' is of '{}', but this guest runs on '{}'", report.path, report.chip, chip),
      "make a report on the host of this guest, or start without one"};
}

std::optional<Finding> check_age(const HostReport& report, const Machine& guest) {
  const bool is_same_version = report.os_version == guest.os_version;
  const bool is_older = is_same_version ? is_older_build(report.os_build, guest.os_build)
                                        : is_at_least(report.os_version, guest.os_version) == false;
  if (!is_older) return std::nullopt;
  return Finding{
      FindingId::host_report_stale,
      formatted("host report '{}' was made under macOS {}{}{}, this guest runs {}{}{}", report.path,
                report.os_version, report.os_build.empty() ? "" : " ", report.os_build, guest.os_version,
                guest.os_build.empty() ? "" : " ", guest.os_build),
      "if the host has been updated since, make a fresh one there: metal-unlock host report"};
}

Result<Selection> select(const ProfileLibrary& library, std::string_view chip, const ProfileRequest& request,
                         const std::optional<HostReport>& report) {
  Result<std::optional<Profile>> profile = requested_profile(library, request);
  if (!profile) return profile.finding();
  const bool is_named = profile->has_value();
  if (!is_named) {
    profile = library.matching(chip);
    if (!profile) return as_circumstance(profile.finding());
    if (!*profile)
      return Finding{
          FindingId::profile_none, formatted("no profile matches the chip '{}'", chip),
          "metal-unlock run --profile apple7 -- COMMAND claims what every Apple silicon Mac has; please "
          "send the output of: metal-unlock probe --json"};
  }
  const Result<Ceiling> ceiling =
      report ? Ceiling{capabilities_of(report->device),
                       formatted("host report {} ({})", report->path, report->chip), true}
             : ceiling_for(library, chip, **profile);
  if (!ceiling) return as_circumstance(ceiling.finding());
  return Selection{**std::move(profile), is_named,
                   is_named ? request.name.origin : formatted("its match names '{}'", chip), *ceiling};
}

}  // namespace metal_unlock
