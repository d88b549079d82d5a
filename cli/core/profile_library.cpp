// SPDX-License-Identifier: MIT
#include "cli/core/profile_library.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/profile_parse.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <utility>

namespace metal_unlock {
namespace {

constexpr std::size_t deepest_lineage = 8;

bool matches_chip(const ProfileFile& file, std::string_view chip) {
  return std::ranges::find(file.match, chip) != file.match.end();
}

bool is_fallback(const ProfileFile& file, std::string_view) { return file.fallback; }

/// Takes from a file what no nearer one has said: a field is claimed, simulated or dropped by one file.
void add_answers(Profile& profile, const ProfileFile& file) {
  for (const FieldRow& row : field_rows()) {
    const Field field = row.field;
    const bool is_dropped = std::ranges::find(file.without, field) != file.without.end();
    const bool is_mentioned = is_dropped || file.claims[field] || file.simulated[field];
    if (is_mentioned && profile.claim_origins.try_emplace(field, file.path).second) {
      profile.claims[field] = file.claims[field];
      profile.simulated[field] = file.simulated[field];
    }
    if (file.ceiling[field] && profile.ceiling_origins.try_emplace(field, file.path).second)
      profile.ceiling[field] = file.ceiling[field];
  }
}

Profile without_parents(const ProfileFile& file) {
  Profile profile;
  profile.name = file.name;
  profile.path = file.path;
  profile.layer = file.layer;
  profile.description = file.description;
  profile.match = file.match;
  profile.chip = file.chip;
  profile.evidence = file.evidence;
  add_answers(profile, file);
  return profile;
}

/// Takes from a parent what the profile does not say itself.
void add_parent(Profile& profile, const ProfileFile& parent) {
  profile.lineage.push_back(parent.name);
  add_answers(profile, parent);
  if (profile.chip == ChipFacts{}) profile.chip = parent.chip;
  profile.evidence.insert(profile.evidence.end(), parent.evidence.begin(), parent.evidence.end());
}

Finding bad_parent(const ProfileFile& file, std::string_view reason) {
  return file_finding(FindingId::profile_invalid, file.path, file.extends_at,
                      formatted("extends '{}': {}", *file.extends, reason),
                      formatted("metal-unlock profiles check {}", shell_word(file.path)));
}

}  // namespace

ProfileLibrary::ProfileLibrary(std::span<const BuiltInProfile> built_in, std::vector<UserProfile> user)
    : built_in_(built_in), user_(std::move(user)) {}

Result<ProfileFile> ProfileLibrary::read(std::string_view name, ProfileLayer highest) const {
  if (highest >= ProfileLayer::user)
    for (const UserProfile& candidate : user_)
      if (profile_name_of(candidate.path) == name) {
        if (!candidate.text) return candidate.text.finding();
        return parse_profile(*candidate.text, candidate.path, ProfileLayer::user);
      }
  const auto found = std::ranges::find(built_in_, name, &BuiltInProfile::name);
  if (found != built_in_.end()) return parse_profile(found->text, found->path, ProfileLayer::built_in);

  std::vector<std::string> names;
  for (const ProfileEntry& entry : entries()) names.push_back(entry.name);
  const std::string hint = did_you_mean(near_names(name, names));
  return Finding{FindingId::profile_unknown, formatted("no profile is named '{}'", name),
                 formatted("{}metal-unlock profiles list", hint.empty() ? "" : hint + " or see: ")};
}

Result<Profile> ProfileLibrary::inherit(ProfileFile file) const {
  Profile profile = without_parents(file);
  while (file.extends) {
    // A file that extends its own name means the one it replaces.
    const bool extends_itself = *file.extends == file.name;
    if (extends_itself && file.layer == ProfileLayer::built_in)
      return bad_parent(file, "a profile cannot extend itself");
    const bool sees_user_files =
        file.layer == ProfileLayer::named_file || (file.layer == ProfileLayer::user && !extends_itself);
    Result<ProfileFile> parent =
        read(*file.extends, sees_user_files ? ProfileLayer::user : ProfileLayer::built_in);
    if (!parent) {
      if (parent.finding().id != FindingId::profile_unknown) return parent.finding();
      return bad_parent(file, extends_itself ? "a profile cannot extend itself" : parent.finding().sentence);
    }
    if (profile.lineage.size() == deepest_lineage)
      return bad_parent(file, formatted("more than {} parents, or a cycle", deepest_lineage));
    add_parent(profile, *parent);
    file = *std::move(parent);
  }
  return profile;
}

Result<Profile> ProfileLibrary::load(std::string_view name) const {
  Result<ProfileFile> file = read(name, ProfileLayer::user);
  if (!file) return file.finding();
  return inherit(*std::move(file));
}

Result<Profile> ProfileLibrary::load_text(std::string_view text, std::string_view path) const {
  Result<ProfileFile> file = parse_profile(text, path, ProfileLayer::named_file);
  if (!file) return file.finding();
  return inherit(*std::move(file));
}

Result<std::optional<Profile>> ProfileLibrary::first_built_in(std::string_view needle,
                                                              bool (*is_wanted)(const ProfileFile&,
                                                                                std::string_view)) const {
  for (const BuiltInProfile& candidate : built_in_) {
    // Parsing thirty files would cost more than starting a small program: look at the text first.
    if (candidate.text.find(needle) == std::string_view::npos) continue;
    Result<ProfileFile> file = parse_profile(candidate.text, candidate.path, ProfileLayer::built_in);
    if (!file) return file.finding();
    if (!is_wanted(*file, needle)) continue;
    Result<Profile> profile = inherit(*std::move(file));
    if (!profile) return profile.finding();
    return std::optional{*std::move(profile)};
  }
  return std::optional<Profile>{};
}

Result<std::optional<Profile>> ProfileLibrary::built_in_matching(std::string_view chip) const {
  return first_built_in(chip, matches_chip);
}

Result<std::optional<Profile>> ProfileLibrary::matching(std::string_view chip) const {
  for (const UserProfile& candidate : user_) {
    if (!candidate.text) return candidate.text.finding();
    Result<ProfileFile> file = parse_profile(*candidate.text, candidate.path, ProfileLayer::user);
    if (!file) return file.finding();
    if (!matches_chip(*file, chip)) continue;
    Result<Profile> profile = inherit(*std::move(file));
    if (!profile) return profile.finding();
    return std::optional{*std::move(profile)};
  }
  Result<std::optional<Profile>> profile = built_in_matching(chip);
  if (!profile || !*profile) return profile;
  const bool is_replaced = std::ranges::any_of(
      user_, [&](const UserProfile& user) { return profile_name_of(user.path) == (*profile)->name; });
  if (!is_replaced) return profile;
  // A user's file of the same name replaces it even where it does not repeat `match`.
  Result<Profile> replaced = load((*profile)->name);
  if (!replaced) return replaced.finding();
  return std::optional{*std::move(replaced)};
}

Result<Profile> ProfileLibrary::fallback() const {
  Result<std::optional<Profile>> profile = first_built_in("fallback = true", is_fallback);
  if (!profile) return profile.finding();
  if (!*profile)
    return Finding{FindingId::profile_unknown, "no built-in family is the fallback", "report this"};
  return **std::move(profile);
}

std::vector<ProfileEntry> ProfileLibrary::entries() const {
  std::vector<ProfileEntry> all;
  for (const UserProfile& profile : user_)
    all.push_back({profile_name_of(profile.path), profile.path, ProfileLayer::user});
  for (const BuiltInProfile& profile : built_in_) {
    const bool is_replaced = std::ranges::find(all, profile.name, &ProfileEntry::name) != all.end();
    if (!is_replaced)
      all.push_back({std::string{profile.name}, std::string{profile.path}, ProfileLayer::built_in});
  }
  std::ranges::sort(all, {}, &ProfileEntry::name);
  return all;
}

}  // namespace metal_unlock
