// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/host_reports.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/need.hpp"
#include "cli/core/profile_parse.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/explain_text.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/profiles_text.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

/// What was named: profiles of chips and families, and of programs.
struct Named {
  std::vector<Profile> profiles;
  std::vector<Program> programs;
  std::size_t size() const { return profiles.size() + programs.size(); }
};

/// Loads every name; says what is wrong with those that fail.
Named load_all(System& system, const ProfileLibrary& library, const std::vector<std::string>& names) {
  const ProgramLibrary programs = load_programs(system);
  Named named;
  for (const std::string& name : names) {
    Result<Profile> profile = library.load(name);
    if (profile) {
      named.profiles.push_back(*std::move(profile));
      continue;
    }
    const std::vector<std::string> known = programs.names();
    if (std::ranges::find(known, name) == known.end()) {
      tell(system, profile.finding());
      continue;
    }
    Result<Program> program = programs.load(name);
    if (program)
      named.programs.push_back(*std::move(program));
    else
      tell(system, program.finding());
  }
  return named;
}

/// Whether a file is about a program: it lies in a folder of that name.
bool is_about_program(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : "/" + path.substr(0, slash);
  return folder.ends_with("/programs");
}

std::optional<Finding> check(const System& system, const ProfileLibrary& library, const std::string& path) {
  const Result<std::string> text = system.read_file(path, largest_text_file);
  if (!text) return text.finding();
  if (is_about_program(path)) {
    const Result<Program> program = load_programs(system).load_text(*text, path);
    return program ? std::nullopt : std::optional{program.finding()};
  }
  const Result<Profile> profile = library.load_text(*text, path);
  return profile ? std::nullopt : std::optional{profile.finding()};
}

/// The paths of those that are well formed; says what is wrong with the others.
std::vector<std::string> check_all(System& system, const ProfileLibrary& library,
                                   const std::vector<std::string>& paths) {
  std::vector<std::string> fine;
  for (const std::string& path : paths) {
    if (const auto finding = check(system, library, path))
      tell(system, *finding);
    else
      fine.push_back(path);
  }
  return fine;
}

/// The guest whose device is unlocked; nothing where this is none.
std::optional<Machine> guest_here(System& system) {
  const Result<Machine> machine = system.observe();
  return machine && need_of(*machine) == Need::guest ? std::optional{*machine} : std::nullopt;
}

/// What would become of each profile in this guest; nothing for all of them elsewhere.
std::vector<std::optional<Here>> weigh_all(System& system, const ProfileLibrary& library,
                                           const std::vector<Profile>& profiles) {
  std::vector<std::optional<Here>> all;
  const std::optional<Machine> guest = guest_here(system);
  if (!guest) return all;
  const std::string chip = physical_chip(*guest);
  const FoundReport found = find_host_report(system, load_settings(system, {}), *guest);
  for (const Finding& finding : found.findings) tell(system, finding);
  const Capabilities stock = stock_answers(system);
  const Result<Selection> by_chip = select(library, chip, {}, found.report);
  for (const Profile& profile : profiles) {
    const bool is_found = by_chip && by_chip->profile.name == profile.name;
    const Result<Selection> selection =
        is_found ? by_chip
                 : select(library, chip, {{profile.name, "profiles show"}, std::nullopt}, found.report);
    if (selection)
      all.push_back(Here{selection->ceiling.origin, validate(*selection, stock, false)});
    else
      all.emplace_back();
  }
  return all;
}

std::string show_all(const Named& named, const std::vector<std::optional<Here>>& here) {
  std::string text;
  for (std::size_t i = 0; i < named.profiles.size(); ++i) {
    text += profile_text(named.profiles[i], text.empty() ? "" : "\n");
    if (i < here.size() && here[i]) text += "\n" + here_text(*here[i]);
  }
  for (const Program& program : named.programs) text += program_text(program, text.empty() ? "" : "\n");
  return text;
}

int list_profiles(System& system, const ProfileLibrary& library, bool as_json) {
  std::vector<std::string> names;
  for (const ProfileEntry& entry : library.entries()) names.push_back(entry.name);
  const std::vector<Profile> profiles = load_all(system, library, names).profiles;
  const std::optional<Machine> guest = as_json ? std::nullopt : guest_here(system);
  const std::string text =
      as_json ? profiles_json(profiles, {}) : profile_list_text(profiles, guest ? physical_chip(*guest) : "");
  return print_answer(system, text) && profiles.size() == names.size() ? status_fine : status_wrong;
}

int show_profiles(System& system, const ProfileLibrary& library, const ProfilesCommand& command) {
  const Named named = load_all(system, library, command.names);
  std::vector<std::optional<Here>> here;
  if (!named.profiles.empty()) here = weigh_all(system, library, named.profiles);
  const bool has_programs_only = named.profiles.empty() && !named.programs.empty();
  const std::string text = !command.json       ? show_all(named, here)
                           : has_programs_only ? programs_json(named.programs)
                                               : profiles_json(named.profiles, here);
  return print_answer(system, text) && named.size() == command.names.size() ? status_fine : status_wrong;
}

int check_profiles(System& system, const ProfileLibrary& library, const ProfilesCommand& command) {
  const std::vector<std::string> fine = check_all(system, library, command.names);
  std::string text;
  if (command.json) {
    std::vector<Profile> profiles;
    for (const std::string& path : fine)
      if (const Result<std::string> file = system.read_file(path, largest_text_file))
        if (Result<Profile> profile = library.load_text(*file, path)) profiles.push_back(*std::move(profile));
    text = profiles_json(profiles, {});
  } else {
    for (const std::string& path : fine) text += formatted("{}: fine\n", printable(path));
  }
  return print_answer(system, text) && fine.size() == command.names.size() ? status_fine : status_wrong;
}

}  // namespace

int run(System& system, const ProfilesCommand& command) {
  const ProfileLibrary library = load_library(system);
  switch (command.action) {
    case ProfilesCommand::Action::show:
      return show_profiles(system, library, command);
    case ProfilesCommand::Action::check:
      return check_profiles(system, library, command);
    case ProfilesCommand::Action::list:
      break;
  }
  return list_profiles(system, library, command.json);
}

}  // namespace metal_unlock
