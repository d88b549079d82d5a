// SPDX-License-Identifier: MIT
#include "cli/core/known_trouble.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

/// Whether the command has an option that the remedy names.
bool has_remedy(const std::string& remedy, const std::vector<std::string>& argv) {
  return std::ranges::any_of(argv, [&](const std::string& word) {
    return word.starts_with("--") && word.size() > 2 && remedy.find(word) != std::string::npos;
  });
}

}  // namespace

std::vector<Finding> bad_guest_findings(const Program& program, const Machine& machine,
                                        const std::vector<std::string>& argv) {
  std::vector<Finding> findings;
  for (const ProgramItem& item : bad_guests_here(program, machine))
    if (!has_remedy(item.otherwise, argv))
      findings.emplace_back(FindingId::bad_guest,
                            formatted("{} on macOS {}: {}", program.name, machine.os_version, item.says),
                            item.otherwise);
  return findings;
}

std::vector<Finding> program_notes(const Program& program, bool unlocks_children) {
  std::vector<Finding> findings;
  const std::string next = formatted("metal-unlock explain {}", program.name);
  if (program.gain && program.gain->gain == Gain::none)
    findings.emplace_back(FindingId::gains_nothing,
                          formatted("{} gains nothing from the unlock: {}", program.name, program.gain->why),
                          next);
  for (const ProgramItem& item : program.items_of(ItemKind::trap)) {
    const bool is_about_children = item.says.find("--children") != std::string::npos;
    if (is_about_children && unlocks_children) continue;
    findings.emplace_back(FindingId::known_trap, formatted("{}, {}: {}", program.name, item.name, item.says),
                          next);
  }
  return findings;
}

}  // namespace metal_unlock
