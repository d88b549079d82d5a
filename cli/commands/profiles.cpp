// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/need.hpp"
#include "cli/core/profile_parse.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/profiles_text.hpp"

namespace metal_unlock {
namespace {

void say(System& system, const Finding& finding) {
  system.write(Stream::err, findings_text({&finding, 1}, Style{system.terminal(Stream::err)}));
}

/// Loads every name; says what is wrong with those that fail.
std::vector<Profile> load_all(System& system, const ProfileLibrary& library,
                              const std::vector<std::string>& names) {
  std::vector<Profile> profiles;
  for (const std::string& name : names) {
    Result<Profile> profile = library.load(name);
    if (profile)
      profiles.push_back(*std::move(profile));
    else
      say(system, profile.finding());
  }
  return profiles;
}

Result<Profile> check(const System& system, const ProfileLibrary& library, const std::string& path) {
  const Result<std::string> text = system.read_file(path, largest_text_file);
  if (!text) return text.finding();
  return library.load_text(*text, path);
}

std::vector<Profile> check_all(System& system, const ProfileLibrary& library,
                               const std::vector<std::string>& paths) {
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    Result<Profile> profile = check(system, library, path);
    if (profile)
      profiles.push_back(*std::move(profile));
    else
      say(system, profile.finding());
  }
  return profiles;
}

/// The chip whose profile is used here; empty where nothing is unlocked.
std::string chip_to_unlock(System& system) {
  const Result<Machine> machine = system.observe();
  return machine && need_of(*machine) == Need::guest ? physical_chip(*machine) : std::string{};
}

}  // namespace

int run(System& system, const ProfilesCommand& command) {
  const ProfileLibrary library = load_library(system);
  std::vector<std::string> names = command.names;
  if (command.action == ProfilesCommand::Action::list)
    for (const ProfileEntry& entry : library.entries()) names.push_back(entry.name);
  const bool checks = command.action == ProfilesCommand::Action::check;
  const std::vector<Profile> profiles =
      checks ? check_all(system, library, names) : load_all(system, library, names);

  std::string text;
  if (command.json)
    text = profiles_json(profiles);
  else if (command.action == ProfilesCommand::Action::list)
    text = profile_list_text(profiles, chip_to_unlock(system));
  else if (checks)
    for (const Profile& profile : profiles) text += formatted("{}: fine\n", printable(profile.path));
  else
    for (const Profile& profile : profiles) text += profile_text(profile, text.empty() ? "" : "\n");
  const bool is_written = print_answer(system, text);
  return is_written && profiles.size() == names.size() ? status_fine : status_wrong;
}

}  // namespace metal_unlock
