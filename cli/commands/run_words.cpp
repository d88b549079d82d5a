// SPDX-License-Identifier: MIT
#include "cli/commands/run_words.hpp"

namespace metal_unlock {

std::string absolute_path(const System& system, const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  return system.working_folder() + "/" + (path.starts_with("./") ? path.substr(2) : path);
}

std::vector<std::string> run_words(const System& system, const LaunchOptions& options) {
  std::vector<std::string> words{"run"};
  const SettingFlags& flags = options.flags;
  if (flags.profile) {
    words.emplace_back("--profile");
    words.push_back(is_profile_path(*flags.profile) ? absolute_path(system, *flags.profile) : *flags.profile);
  }
  if (flags.host_report) {
    words.emplace_back("--host-report");
    words.push_back(absolute_path(system, *flags.host_report));
  }
  if (flags.require) words.emplace_back("--require");
  if (flags.children) words.emplace_back("--children");
  return words;
}

}  // namespace metal_unlock
