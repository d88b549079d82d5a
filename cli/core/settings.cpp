// SPDX-License-Identifier: MIT
#include "cli/core/settings.hpp"

#include "cli/core/text_format.hpp"
#include "cli/core/toml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace metal_unlock {
namespace {

/// One configuration file after reading; a value that is absent was not set there.
struct FileSettings {
  std::optional<Setting<Policy>> policy;
  std::optional<Setting<std::string>> profile;
  std::optional<Setting<bool>> children;
  std::optional<Setting<bool>> verify;
  std::optional<Setting<std::string>> min_version;
  std::optional<Finding> finding;
};

Policy read_policy(TomlReader& reader, const TomlNode& node) {
  const std::string word = reader.text(node);
  const auto policy = policy_named(word);
  if (!policy) reader.fail(node.at, formatted("policy is '{}', not prefer, require or off", word));
  return policy.value_or(Policy::prefer);
}

std::string read_version(TomlReader& reader, const TomlNode& node) {
  std::string version = reader.text(node);
  if (!is_at_least(version, version))
    reader.fail(node.at, formatted("min_version is '{}', not a version such as 0.1.0", version));
  return version;
}

std::string read_profile(TomlReader& reader, const TomlNode& node) {
  std::string profile = reader.text(node);
  if (is_profile_path(profile))
    reader.fail(node.at, formatted("profile is '{}': a configuration names a profile, not a file", profile));
  return profile;
}

void read_entries(TomlReader& reader, const ConfigText& file, const TomlNode& document, FileSettings& into) {
  const bool is_project = file.kind == ConfigText::Kind::project;
  const auto origin = [&](const TomlNode& node) { return formatted("{}:{}", file.path, node.key_at.line); };
  std::vector<std::pair<std::string_view, TomlReader::Handler>> keys{
      {"profile",
       [&](const TomlNode& node) {
         into.profile = Setting<std::string>{read_profile(reader, node), origin(node)};
       }},
      {"policy",
       [&](const TomlNode& node) {
         into.policy = Setting<Policy>{read_policy(reader, node), origin(node)};
       }},
      {"min_version",
       [&](const TomlNode& node) {
         into.min_version = Setting<std::string>{read_version(reader, node), origin(node)};
       }},
  };
  const auto read_flag = [&](std::string_view key, std::optional<Setting<bool>>& flag) {
    keys.emplace_back(key, [&, key](const TomlNode& node) {
      if (is_project)
        reader.fail(
            node.key_at,
            formatted("{} is not for a project to set: only profile, policy and min_version are", key));
      flag = Setting<bool>{reader.boolean(node), origin(node)};
    });
  };
  read_flag("children", into.children);
  read_flag("verify", into.verify);
  reader.read_table(document, keys);
}

Finding weighed(Finding finding, const ConfigText& file) {
  return file.is_named ? finding : as_circumstance(std::move(finding));
}

FileSettings read_file(const ConfigText& file) {
  const std::string next = "correct the file, or see what is in force: metal-unlock config";
  FileSettings settings;
  if (!file.text) {
    settings.finding = weighed(file.text.finding(), file);
    return settings;
  }
  const Result<TomlNode> document = parse_toml(*file.text, file.path, FindingId::config_invalid, next);
  if (!document) {
    settings.finding = weighed(document.finding(), file);
    return settings;
  }
  TomlReader reader{file.path, FindingId::config_invalid, next};
  read_entries(reader, file, *document, settings);
  if (auto finding = reader.first_finding()) {
    // Nothing of a file with a fault is used: half a configuration is nobody's intention.
    settings = FileSettings{};
    settings.finding = weighed(*std::move(finding), file);
  }
  return settings;
}

void read_environment(const Environment& environment, Settings& into) {
  if (const auto word = environment.get_non_empty("METAL_UNLOCK")) {
    if (const auto policy = policy_named(*word))
      into.policy = {*policy, "METAL_UNLOCK"};
    else
      into.findings.emplace_back(FindingId::setting_invalid,
                                 formatted("METAL_UNLOCK is '{}', not prefer, require or off", *word),
                                 "unset METAL_UNLOCK");
  }
  if (const auto name = environment.get_non_empty("METAL_UNLOCK_PROFILE"))
    into.profile = {std::string{*name}, "METAL_UNLOCK_PROFILE"};
  if (const auto path = environment.get_non_empty("METAL_UNLOCK_HOST_REPORT"))
    into.host_report = {std::string{*path}, "METAL_UNLOCK_HOST_REPORT"};
  if (const auto word = environment.get_non_empty("METAL_UNLOCK_VERIFY")) {
    if (*word == "1" || *word == "0")
      into.verify = {*word == "1", "METAL_UNLOCK_VERIFY"};
    else
      into.findings.emplace_back(FindingId::setting_invalid,
                                 formatted("METAL_UNLOCK_VERIFY is '{}', not 1 or 0", *word),
                                 "unset METAL_UNLOCK_VERIFY");
  }
}

template <class T>
void take(const std::optional<Setting<T>>& from, Setting<T>& into) {
  if (from) into = *from;
}

}  // namespace

std::string_view to_text(Policy policy) {
  switch (policy) {
    case Policy::require:
      return "require";
    case Policy::off:
      return "off";
    case Policy::prefer:
      break;
  }
  return "prefer";
}

std::optional<Policy> policy_named(std::string_view word) {
  for (const Policy policy : {Policy::prefer, Policy::require, Policy::off})
    if (word == to_text(policy)) return policy;
  return std::nullopt;
}

bool is_profile_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".toml");
}

std::optional<bool> is_at_least(std::string_view has, std::string_view wants) {
  const auto parts_of = [](std::string_view version) -> std::optional<std::array<unsigned, 3>> {
    std::array<unsigned, 3> parts{};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto [stop, error] = std::from_chars(at, end, parts.at(i));
      if (error != std::errc{}) return std::nullopt;
      at = stop;
      if (at == end) return parts;
      if (*at != '.' || i + 1 == parts.size()) return std::nullopt;
      ++at;
    }
    return std::nullopt;
  };
  const auto has_parts = parts_of(has);
  const auto wants_parts = parts_of(wants);
  if (!has_parts || !wants_parts) return std::nullopt;
  return *has_parts >= *wants_parts;
}

bool is_older_build(std::string_view has, std::string_view wants) {
  struct Build {
    unsigned train = 0;
    char letter = 0;
    unsigned number = 0;
    auto operator<=>(const Build&) const = default;
  };
  // What follows the number marks a seed; it orders nothing.
  const auto parts_of = [](std::string_view text) -> std::optional<Build> {
    Build build;
    const char* const end = text.data() + text.size();
    const auto train = std::from_chars(text.data(), end, build.train);
    if (train.ec != std::errc{} || train.ptr == end || *train.ptr < 'A' || *train.ptr > 'Z')
      return std::nullopt;
    build.letter = *train.ptr;
    if (std::from_chars(train.ptr + 1, end, build.number).ec != std::errc{}) return std::nullopt;
    return build;
  };
  const auto has_parts = parts_of(has);
  const auto wants_parts = parts_of(wants);
  return has_parts && wants_parts && *has_parts < *wants_parts;
}

Settings resolve_settings(const SettingFlags& flags, const Environment& environment,
                          const std::vector<ConfigText>& files, std::string_view version) {
  Settings settings;
  for (const auto kind : {ConfigText::Kind::user, ConfigText::Kind::project})
    for (const ConfigText& file : files) {
      if (file.kind != kind) continue;
      const FileSettings read = read_file(file);
      take(read.policy, settings.policy);
      take(read.profile, settings.profile);
      take(read.children, settings.children);
      take(read.verify, settings.verify);
      take(read.min_version, settings.min_version);
      if (read.finding) settings.findings.push_back(*read.finding);
    }
  read_environment(environment, settings);
  if (flags.profile) settings.profile = {*flags.profile, "--profile"};
  if (flags.host_report) settings.host_report = {*flags.host_report, "--host-report"};
  if (flags.require) settings.policy = {Policy::require, "--require"};
  if (flags.children) settings.children = {true, "--children"};
  if (flags.verify) settings.verify = {true, "--verify"};

  const std::string& wanted = settings.min_version.value;
  if (!wanted.empty() && is_at_least(version, wanted) == false)
    settings.findings.emplace_back(FindingId::min_version,
                                   formatted("{} asks for metal-unlock {} or later, this is {}",
                                             settings.min_version.origin, wanted, version),
                                   "install the later version, or remove min_version");
  std::ranges::stable_sort(settings.findings, std::greater{}, &Finding::severity);
  return settings;
}

}  // namespace metal_unlock
