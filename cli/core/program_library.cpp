// SPDX-License-Identifier: MIT
#include "cli/core/program_library.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/profile_parse.hpp"
#include "cli/core/program_parse.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::size_t most_parents = 8;

Finding fault_of(const Program& program, std::string_view reason) {
  return file_finding(FindingId::profile_invalid, program.path, program.extends_at,
                      formatted("extends '{}': {}", *program.extends, reason),
                      formatted("metal-unlock profiles check {}", shell_word(program.path)));
}

bool has_item(const Program& program, ItemKind kind, std::string_view name) {
  return std::ranges::any_of(program.items,
                             [&](const ProgramItem& item) { return item.kind == kind && item.name == name; });
}

/// What is dropped must be there: a misspelt name would drop nothing, unseen.
std::optional<Finding> drop_items(Program& parent, const Program& program) {
  for (const DroppedItem& dropped : program.without) {
    if (!has_item(parent, dropped.kind, dropped.name))
      return fault_of(program, formatted("without names {} '{}', which is not inherited",
                                         to_text(dropped.kind), dropped.name));
    std::erase_if(parent.items, [&](const ProgramItem& item) {
      return item.kind == dropped.kind && item.name == dropped.name;
    });
  }
  return std::nullopt;
}

/// The parent, with all that the program says itself in the place of what it replaces.
Program merged(Program parent, Program program) {
  for (ProgramItem& item : parent.items) {
    const auto own = std::ranges::find_if(program.items, [&](const ProgramItem& candidate) {
      return candidate.kind == item.kind && candidate.name == item.name;
    });
    if (own == program.items.end()) continue;
    item = *own;
    program.items.erase(own);
  }
  parent.items.insert(parent.items.end(), program.items.begin(), program.items.end());
  program.items = std::move(parent.items);
  if (program.description.empty()) program.description = parent.description;
  if (!program.gain) program.gain = parent.gain;
  if (!program.recognition) program.recognition = parent.recognition;
  for (const ProgramVariable& variable : parent.environment)
    if (std::ranges::find(program.environment, variable.name, &ProgramVariable::name) ==
        program.environment.end())
      program.environment.push_back(variable);
  program.without.insert(program.without.end(), parent.without.begin(), parent.without.end());
  return program;
}

}  // namespace

Result<Program> ProgramLibrary::read(std::string_view name, ProfileLayer highest) const {
  if (highest >= ProfileLayer::user)
    for (const UserProfile& candidate : user_)
      if (profile_name_of(candidate.path) == name) {
        if (!candidate.text) return candidate.text.finding();
        return parse_program(*candidate.text, candidate.path, ProfileLayer::user);
      }
  const auto found = std::ranges::find(built_in_, name, &BuiltInProfile::name);
  if (found != built_in_.end()) return parse_program(found->text, found->path, ProfileLayer::built_in);
  const std::string hint = did_you_mean(near_names(name, names()));
  return Finding{FindingId::profile_unknown, formatted("nothing is known of a program '{}'", name),
                 formatted("{}metal-unlock explain", hint.empty() ? "" : hint + " or see: ")};
}

Result<Program> ProgramLibrary::inherit(Program program) const {
  std::vector<Program> lineage{std::move(program)};
  while (lineage.back().extends) {
    const Program& child = lineage.back();
    const bool extends_itself = *child.extends == child.name;
    if (lineage.size() > most_parents || (extends_itself && child.layer == ProfileLayer::built_in))
      return fault_of(child, "a cycle, or too many parents");
    const bool sees_user_files = child.layer != ProfileLayer::built_in && !extends_itself;
    Result<Program> parent =
        read(*child.extends, sees_user_files ? ProfileLayer::user : ProfileLayer::built_in);
    if (!parent) return fault_of(child, parent.finding().sentence);
    lineage.push_back(*std::move(parent));
  }
  Program whole = std::move(lineage.back());
  for (std::size_t i = lineage.size() - 1; i-- > 0;) {
    if (auto finding = drop_items(whole, lineage[i])) return *std::move(finding);
    whole = merged(std::move(whole), std::move(lineage[i]));
  }
  return whole;
}

Result<Program> ProgramLibrary::load(std::string_view name) const {
  Result<Program> program = read(name, ProfileLayer::user);
  if (!program) return program;
  return inherit(*std::move(program));
}

Result<Program> ProgramLibrary::load_text(std::string_view text, std::string_view path) const {
  Result<Program> program = parse_program(text, path, ProfileLayer::named_file);
  if (!program) return program;
  return inherit(*std::move(program));
}

std::optional<Program> ProgramLibrary::recognise(std::string_view file,
                                                 const std::vector<std::string>& libraries) const {
  std::optional<Program> by_library;
  for (const std::string& name : names()) {
    const Result<Program> program = load(name);
    if (!program) continue;
    if (is_recognised(*program, file, {})) return *program;
    if (!by_library && is_recognised(*program, file, libraries)) by_library = *program;
  }
  return by_library;
}

bool ProgramLibrary::may_know(std::string_view file) const {
  if (has_user_files()) return true;
  const std::string quoted = '"' + std::string{file.substr(file.rfind('/') + 1)} + '"';
  return std::ranges::any_of(built_in_, [&](const BuiltInProfile& profile) {
    return std::string_view{profile.text}.find(quoted) != std::string_view::npos;
  });
}

std::vector<std::string> ProgramLibrary::names() const {
  std::vector<std::string> all;
  for (const UserProfile& profile : user_) all.push_back(profile_name_of(profile.path));
  for (const BuiltInProfile& profile : built_in_) all.emplace_back(profile.name);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace metal_unlock
