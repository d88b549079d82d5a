// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/host_reports.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/json_text.hpp"

namespace metal_unlock {
namespace {

std::vector<ShownRow> shown_settings(const Settings& settings) {
  return {{"policy", std::string{to_text(settings.policy.value)}, settings.policy.origin},
          {"profile", settings.profile.value.empty() ? "chosen by chip" : settings.profile.value,
           settings.profile.origin},
          {"host_report", settings.host_report.value.empty() ? "none" : settings.host_report.value,
           settings.host_report.origin},
          {"children", settings.children.value ? "true" : "false", settings.children.origin},
          {"verify", settings.verify.value ? "true" : "false", settings.verify.origin},
          {"min_version", settings.min_version.value.empty() ? "none" : settings.min_version.value,
           settings.min_version.origin}};
}

/// The files that are looked at, whether they exist or not.
std::vector<ShownRow> shown_files(const System& system) {
  const std::string folder = config_folder(system);
  const auto state = [&](const std::string& path) {
    return system.facts(path).kind == FileKind::missing ? "not there" : "read";
  };
  std::vector<ShownRow> files;
  const auto named = system.environment().get_non_empty("METAL_UNLOCK_CONFIG");
  const std::string user = named ? std::string{*named} : folder.empty() ? "" : folder + "/config.toml";
  if (!user.empty()) files.push_back({"user file", user, state(user)});
  const std::string project = project_file(system);
  files.push_back({"project file", project.empty() ? ".metal-unlock.toml" : project,
                   project.empty() ? "not there" : "read"});
  if (!folder.empty()) files.push_back({"profiles", folder + "/profiles", state(folder + "/profiles")});
  for (const std::string& place : host_report_places(system))
    if (system.facts(place).kind != FileKind::missing)
      files.push_back({"host report", place, "read in a guest"});
  return files;
}

}  // namespace

int run(System& system, const ConfigCommand& command) {
  const Settings settings = load_settings(system, {});
  system.write(Stream::err, findings_text(settings.findings, Style{system.terminal(Stream::err)}));
  const auto shown = shown_settings(settings);
  const auto files = shown_files(system);
  const bool is_written =
      print_answer(system, command.json ? config_json(shown, files) : config_text(shown, files));
  return is_written && settings.findings.empty() ? status_fine : status_wrong;
}

}  // namespace metal_unlock
