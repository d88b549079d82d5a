// SPDX-License-Identifier: MIT
#include "cli/commands/launch_verdict.hpp"

#include "cli/commands/gpu_trial.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/text_format.hpp"
#include "cli/verify/verdict_json.hpp"

namespace metal_unlock {
namespace {

/// Nothing where no verdict could be reached, which the findings then say.
std::optional<GpuVerdict> verify_now(System& system, const LaunchOptions& options, const Outlook& outlook,
                                     std::vector<Finding>& findings) {
  const Launch trial = prepare_trial(system, options);
  if (trial.decision.action != Action::start_unlocked) {
    const std::string reason = trial.decision.findings.empty() ? "it would not be unlocked"
                                                               : trial.decision.findings.front().sentence;
    findings.emplace_back(FindingId::verify_impossible, formatted("the GPU cannot be verified: {}", reason),
                          "metal-unlock verify");
    return std::nullopt;
  }
  Result<GpuVerdict> verdict =
      run_trial(system, trial, {.with_stock = false, .shows_progress = outlook.shows_progress});
  if (!verdict) {
    findings.push_back(verdict.finding());
    return std::nullopt;
  }
  if (auto unkept = system.keep_memory(verdict_memory(*verdict))) findings.push_back(*std::move(unkept));
  return *std::move(verdict);
}

}  // namespace

std::optional<GpuVerdict> remembered_verdict(const System& system) {
  const std::optional<std::string> text = system.read_memory(largest_verdict);
  return text ? parse_verdict_memory(*text) : std::nullopt;
}

void consult_verdict(System& system, const LaunchOptions& options, const Outlook& outlook, Launch& launch,
                     std::vector<Finding>& findings) {
  const VerdictKey key = verdict_key(launch.machine, *launch.verdict, program_version());
  std::optional<GpuVerdict> verdict = remembered_verdict(system);
  const bool is_remembered = verdict && why_out_of_date(*verdict, key).empty();
  if (!is_remembered) {
    if (outlook.verifying != Verifying::now) return;
    verdict = verify_now(system, options, outlook, findings);
  }
  if (!verdict) return;
  if (auto fault = fault_of(*verdict)) findings.push_back(*std::move(fault));
  launch.gpu = ConsultedVerdict{*std::move(verdict), is_remembered};
}

}  // namespace metal_unlock
