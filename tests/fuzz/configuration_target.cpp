// SPDX-License-Identifier: MIT
#include "cli/core/settings.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/toml_write.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {
namespace {

constexpr std::string_view configuration_path = "config.toml";

Settings settings_from(std::string_view text, ConfigText::Kind kind) {
  const ConfigText file{kind, std::string{configuration_path}, false, std::string{text}};
  return resolve_settings({}, Environment{}, {file}, "0.1.0");
}

template <class T>
bool is_set(const Setting<T>& setting) {
  return setting.origin != "default";
}

std::string configuration_toml(const Settings& settings) {
  std::string text;
  if (is_set(settings.policy)) text += formatted("policy = \"{}\"\n", to_text(settings.policy.value));
  if (is_set(settings.profile)) text += formatted("profile = {}\n", toml_string(settings.profile.value));
  if (is_set(settings.children)) text += formatted("children = {}\n", settings.children.value);
  if (is_set(settings.min_version))
    text += formatted("min_version = {}\n", toml_string(settings.min_version.value));
  return text;
}

void check_settings(const Settings& settings, std::string_view bytes) {
  promise(settings.findings.size() <= 1, "one file makes one finding");
  for (const Finding& finding : settings.findings) {
    promise(finding.cause == Cause::circumstance || finding.id == FindingId::min_version,
            "a file that was found is a circumstance");
    if (finding.id == FindingId::min_version) {
      promise_told(finding, bytes);
      continue;
    }
    promise_placed(finding, configuration_path, bytes);
    promise(configuration_toml(settings).empty(), "nothing of a file with a fault is used");
  }
  promise(!is_profile_path(settings.profile.value), "no configuration names a file");
  promise(!is_set(settings.host_report), "no configuration chooses the host report");
}

}  // namespace

void fuzz_configuration(std::string_view bytes) {
  const Settings user = settings_from(bytes, ConfigText::Kind::user);
  check_settings(user, bytes);
  const Settings project = settings_from(bytes, ConfigText::Kind::project);
  check_settings(project, bytes);
  promise(!is_set(project.children), "a project does not choose for children");
  const Settings again = settings_from(configuration_toml(user), ConfigText::Kind::user);
  promise(configuration_toml(again) == configuration_toml(user),
          "settings that are written read as they were");
}

}  // namespace metal_unlock
