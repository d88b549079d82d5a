// SPDX-License-Identifier: MIT
#include "cli/commands/paths.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/paths_text.hpp"

namespace metal_unlock {
namespace {

WritingPlaces places_of(const System& system) {
  WritingPlaces places{
      .cache = {}, .shim_name = system.loader().shim_name, .home = system.home_folder(), .prefix = {}};
  // The shim lies in a folder of its own inside of ours.
  if (const Result<std::string> shim = system.shim_location()) places.cache = folder_name(folder_name(*shim));
  const std::string folder = folder_name(lasting_own_path(system));
  if (file_name(folder) == "bin") places.prefix = folder_name(folder);
  return places;
}

/// Where PATH has this program; empty where it has none of that name, or another one.
std::string path_on_search(const System& system) {
  const std::string own = system.own_path();
  const auto found = find_program(std::string{file_name(own)}, search_path(system.environment()), system);
  if (!found || !found->file.starts_with('/')) return {};
  return system.canonical(found->file) == system.canonical(own) ? found->file : std::string{};
}

}  // namespace

std::string lasting_own_path(const System& system) {
  const std::string found = path_on_search(system);
  return found.empty() ? system.own_path() : found;
}

bool is_on_path(const System& system) { return !path_on_search(system).empty(); }

int print_written_paths(System& system, bool as_json) {
  std::vector<ShownPath> shown;
  for (WrittenPath& path : written_paths(places_of(system))) {
    const bool is_there = !path.is_named && system.facts(path.path).kind != FileKind::missing;
    shown.push_back({std::move(path), is_there});
  }
  return print_answer(system, as_json ? paths_json(shown) : paths_text(shown)) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
