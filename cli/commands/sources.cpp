// SPDX-License-Identifier: MIT
#include "cli/commands/sources.hpp"

#include "cli/core/profile_parse.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::string_view project_file_name = ".metal-unlock.toml";

void add_if_there(const System& system, std::vector<ConfigText>& files, ConfigText::Kind kind,
                  const std::string& path) {
  if (path.empty() || system.facts(path).kind == FileKind::missing) return;
  files.push_back({kind, path, false, system.read_file(path, largest_text_file)});
}

/// The TOML files of one folder below the user's configuration.
std::vector<UserProfile> user_files(const System& system, std::string_view below) {
  std::vector<UserProfile> files;
  const std::string configuration = config_folder(system);
  if (configuration.empty()) return files;
  const std::string folder = configuration + std::string{below};
  for (const std::string& name : system.names_in(folder)) {
    // Hidden ones are not the user's: editors lock with ".#m1.toml", macOS keeps attributes in "._m1.toml".
    if (!name.ends_with(".toml") || name.starts_with('.')) continue;
    const std::string path = folder + "/" + name;
    files.push_back({path, system.read_file(path, largest_text_file)});
  }
  return files;
}

}  // namespace

std::string_view program_version() { return METAL_UNLOCK_VERSION; }

std::string config_folder(const System& system) {
  // The XDG specification says that a relative path is to be ignored.
  const auto configured = system.environment().get_non_empty("XDG_CONFIG_HOME");
  if (configured && configured->starts_with('/')) return std::string{*configured} + "/metal-unlock";
  const std::string home = system.home_folder();
  return home.empty() ? std::string{} : home + "/.config/metal-unlock";
}

std::string project_file(const System& system) {
  std::string folder = system.working_folder();
  while (!folder.empty()) {
    std::string path = folder;
    if (path != "/") path += '/';
    path += project_file_name;
    if (system.facts(path).kind != FileKind::missing) return path;
    if (folder == "/") break;
    folder.resize(std::max<std::size_t>(1, folder.rfind('/')));
  }
  return {};
}

Settings load_settings(const System& system, const SettingFlags& flags) {
  std::vector<ConfigText> files;
  if (const auto named = system.environment().get_non_empty("METAL_UNLOCK_CONFIG")) {
    const std::string path{*named};
    files.push_back({ConfigText::Kind::user, path, true, system.read_file(path, largest_text_file)});
  } else if (const std::string folder = config_folder(system); !folder.empty()) {
    add_if_there(system, files, ConfigText::Kind::user, folder + "/config.toml");
  }
  add_if_there(system, files, ConfigText::Kind::project, project_file(system));
  return resolve_settings(flags, system.environment(), files, program_version());
}

ProfileLibrary load_library(const System& system) {
  return {built_in_profiles(), user_files(system, "/profiles")};
}

ProgramLibrary load_programs(const System& system) {
  return {built_in_programs(), user_files(system, "/profiles/programs")};
}

ProfileRequest profile_request(const System& system, const Settings& settings) {
  ProfileRequest request{settings.profile, std::nullopt};
  if (is_profile_path(settings.profile.value))
    request.text = system.read_file(settings.profile.value, largest_text_file);
  return request;
}

}  // namespace metal_unlock
