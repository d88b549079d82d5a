// SPDX-License-Identifier: MIT
#include "cli/commands/evidence_folder.hpp"

#include "cli/commands/sources.hpp"
#include "cli/core/sha256.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/chart_svg.hpp"
#include "cli/text/comparison_json.hpp"
#include "cli/text/comparison_text.hpp"
#include "cli/text/json_text.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

/// Variables that steer what is measured. Not the whole environment: it may hold what is nobody's business.
bool matters(std::string_view name) {
  constexpr std::array<std::string_view, 10> families{"METAL_UNLOCK", "GGML_",  "LLAMA_", "OLLAMA_", "MLX_",
                                                      "MTL_",         "METAL_", "OMP_",   "DYLD_",   "LD_"};
  constexpr std::array<std::string_view, 5> secrets{"KEY", "TOKEN", "SECRET", "PASSWORD", "AUTH"};
  const auto begins = [&](std::string_view family) { return name.starts_with(family); };
  const auto holds = [&](std::string_view secret) { return name.find(secret) != std::string_view::npos; };
  return std::ranges::any_of(families, begins) && std::ranges::none_of(secrets, holds);
}

std::vector<std::pair<std::string, std::string>> variables_of(const Environment& environment) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string& entry : environment.entries()) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos && matters(entry.substr(0, equals)))
      variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

/// How a run was started, for a POSIX shell: `env -u NAME NAME=… COMMAND ARG…`.
std::string plan_line(const Plan& plan) {
  std::string line;
  if (!plan.change.empty()) line = "env";
  for (const std::string& name : plan.change.unset) line += formatted(" -u {}", name);
  for (const auto& [name, text] : plan.change.set) line += formatted(" {}", shell_word(name + "=" + text));
  for (const std::string& word : plan.argv) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

}  // namespace

Result<EvidenceFolder> EvidenceFolder::begin(System& system, const std::string& path) {
  EvidenceFolder evidence;
  if (path.empty()) return evidence;
  // The shim is told the path of its report in the handoff, which has no room for a longer one.
  constexpr std::size_t longest_path = 900;
  if (path.size() > longest_path)
    return Finding{FindingId::evidence_unwritten,
                   formatted("the folder's path has {} bytes, more than {}", path.size(), longest_path),
                   "choose a shorter path"};
  const Result<std::string> made = system.make_folder(path);
  if (!made) return made.finding();
  evidence.folder_ = path.starts_with('/') ? path : system.working_folder() + "/" + path;
  return evidence;
}

std::string EvidenceFolder::report_of(const Turn& turn) const {
  const bool is_reported = is_wanted() && turn.side == Side::unlocked;
  return is_reported ? formatted("{}/{}.report.jsonl", folder_, name_of(turn)) : std::string{};
}

void EvidenceFolder::add(System& system, const std::string& name, std::string_view text) {
  if (!is_wanted()) return;
  const Result<std::string> written = system.replace_file(folder_ + "/" + name, text);
  if (written)
    names_.push_back(name);
  else if (!fault_)
    fault_ = Finding{FindingId::evidence_unwritten, written.finding().sentence, written.finding().next};
}

void EvidenceFolder::begin_run(System& system, const Turn& turn, const Launch& launch) {
  if (!report_of(turn).empty()) add(system, name_of(turn) + ".report.jsonl", plan_event(launch));
}

void EvidenceFolder::add_run(System& system, const Turn& turn, const Launch& launch,
                             const Finished& finished) {
  const std::string name = name_of(turn);
  add(system, name + ".stdout", finished.output);
  add(system, name + ".stderr", finished.errors);
  commands_ += formatted("# {}\n{}\n", name, plan_line(launch.plan));
}

void EvidenceFolder::add_results(System& system, const Pairing& pairing, const std::string& json) {
  add(system, "results.json", json);
  add(system, "results.csv", comparison_csv(pairing.rows));
  add(system, "results.md", comparison_markdown(pairing.rows));
  add(system, "results.svg", chart_svg(pairing.rows));
  add(system, "commands.txt", commands_);
}

void EvidenceFolder::add_facts(System& system, const Launch& launch, const std::vector<std::string>& command,
                               const std::string& model, const MachineState& state) {
  if (!is_wanted()) return;
  EvidenceFacts facts{.version = std::string{program_version()},
                      .machine = launch.machine,
                      .state = state,
                      .command = command,
                      .variables = variables_of(system.environment()),
                      .hashes = {}};
  const auto hash = [&](const std::string& what, const std::string& path) {
    if (path.empty()) return;
    const Result<std::string> digits = system.hash_file(path);
    if (digits) facts.hashes.emplace_back(formatted("{} {}", what, path), *digits);
  };
  hash("target", launch.plan.file);
  hash("model", model);
  hash("shim", launch.shim);
  hash("metal-unlock", system.own_path());
  if (launch.selection) {
    const Profile& profile = launch.selection->profile;
    const std::string text = profiles_json({&profile, 1}, {});
    add(system, "profile.json", text);
    facts.hashes.emplace_back(formatted("profile {} with all it inherits", profile.name), sha256_of(text));
    if (profile.layer != ProfileLayer::built_in) hash("profile", profile.path);
  }
  add(system, "evidence.json", evidence_json(facts));
}

std::optional<Finding> EvidenceFolder::finish(System& system) {
  if (!is_wanted() || fault_) return fault_;
  std::string sums;
  std::ranges::sort(names_);
  for (const std::string& name : names_) {
    const Result<std::string> digits = system.hash_file(folder_ + "/" + name);
    if (!digits)
      return Finding{FindingId::evidence_unwritten, digits.finding().sentence, digits.finding().next};
    sums += formatted("{}  {}\n", *digits, name);
  }
  add(system, "SHA256SUMS", sums);
  return fault_;
}

}  // namespace metal_unlock
