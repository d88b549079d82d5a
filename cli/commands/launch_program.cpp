// SPDX-License-Identifier: MIT
#include "cli/commands/launch_program.hpp"

#include "cli/commands/sources.hpp"
#include "cli/core/known_trouble.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

/// What a variable of the user's profile is to hold; nothing where the chip's architecture is not known.
std::optional<std::string> value_of(const ProgramVariable& variable, const System& system,
                                    const Machine& machine) {
  constexpr std::string_view placeholder = "{architecture}";
  std::string value = variable.value;
  const std::size_t at = value.find(placeholder);
  if (at == std::string::npos) return value;
  const Result<std::optional<Profile>> profile = load_library(system).matching(physical_chip(machine));
  if (!profile || !*profile || (*profile)->chip.architecture.empty()) return std::nullopt;
  return value.replace(at, placeholder.size(), (*profile)->chip.architecture);
}

}  // namespace

void recognise_program(const System& system, const std::vector<std::string>& command, Launch& launch,
                       std::vector<Finding>& findings) {
  const ProgramLibrary programs = load_programs(system);
  const std::vector<std::string>& libraries = launch.clearance->libraries;
  // A library's name goes up to its version: libllama.0.dylib.
  const auto may_know_library = [&](const std::string& path) {
    return programs.may_know(path.substr(0, path.find('.', path.rfind('/') + 1)));
  };
  if (!programs.may_know(launch.target->program) && std::ranges::none_of(libraries, may_know_library)) return;
  launch.program = programs.recognise(launch.target->program, libraries);
  if (!launch.program) return;
  for (Finding& finding : bad_guest_findings(*launch.program, launch.machine, command))
    findings.push_back(std::move(finding));
}

void set_program_variables(const System& system, Launch& launch) {
  if (!launch.program) return;
  for (const ProgramVariable& variable : launch.program->environment) {
    if (system.environment().get(variable.name)) continue;
    if (auto value = value_of(variable, system, launch.machine))
      launch.plan.change.set.emplace_back(variable.name, *std::move(value));
    else
      launch.decision.findings.emplace_back(FindingId::variable_unset,
                                            formatted("{} is not set: the architecture of '{}' is not known",
                                                      variable.name, physical_chip(launch.machine)),
                                            formatted("write it in full in {}", variable.origin));
  }
}

}  // namespace metal_unlock
