// SPDX-License-Identifier: MIT
#include "cli/commands/launch.hpp"

#include "cli/commands/host_reports.hpp"
#include "cli/commands/launch_program.hpp"
#include "cli/commands/launch_verdict.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/foreign_shim.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/findings_text.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

/// Moves a stage's value into its place, or its finding to the others.
template <class T>
void settle(Result<T> result, std::optional<T>& into, std::vector<Finding>& findings) {
  if (result)
    into = *std::move(result);
  else
    findings.push_back(std::move(result).finding());
}

/// False where the machine cannot be observed.
bool observe_machine(System& system, Launch& launch, std::vector<Finding>& findings) {
  const Result<Machine> machine = system.observe();
  if (!machine) {
    // It may be a guest, so the policy decides; taken for no Mac, --require would let it pass in silence.
    launch.need = Need::guest;
    findings.push_back(machine.finding());
    return false;
  }
  launch.machine = *machine;
  launch.need = need_of(launch.machine);
  return true;
}

/// Where nothing is unlocked a profile decides nothing, but one that was asked for and does not exist is a
/// mistake everywhere.
void check_requested_profile(const System& system, const Settings& settings, std::vector<Finding>& findings) {
  if (settings.profile.value.empty()) return;
  const Result<std::optional<Profile>> requested =
      requested_profile(load_library(system), profile_request(system, settings));
  if (!requested) findings.push_back(requested.finding());
}

void choose_profile(const System& system, const LaunchOptions& options, Launch& launch,
                    std::vector<Finding>& findings) {
  FoundReport found = find_host_report(system, launch.settings, launch.machine);
  findings.insert(findings.end(), found.findings.begin(), found.findings.end());
  const ProfileRequest request = profile_request(system, launch.settings);
  settle(select(load_library(system), physical_chip(launch.machine), request, found.report), launch.selection,
         findings);
  if (!launch.selection) return;
  launch.verdict = validate(*launch.selection, {}, options.allow_beyond_host);
  findings.insert(findings.end(), launch.verdict->findings.begin(), launch.verdict->findings.end());
}

/// What the loader will do matters where something is to be unlocked.
void inspect_target(const System& system, Launch& launch, const Loader& loader,
                    std::vector<Finding>& findings) {
  const Surroundings surroundings{
      .sip = launch.machine.sip,
      .shim_slices = loader.shim_slices,
      .shim = launch.shim,
      .shim_is_quarantined = !launch.shim.empty() && system.facts(launch.shim).is_quarantined,
      .unlocks_children = launch.settings.children.value};
  launch.clearance = preflight(*launch.target, surroundings, system);
  if (launch.clearance->finding) findings.push_back(*launch.clearance->finding);
}

/// Finds the shim a place from which the loader can take it.
Result<std::string> shim_for(System& system, const Outlook& outlook, const Loader& loader) {
  Result<std::string> shim = outlook.places_shim ? system.place_shim() : system.shim_location();
  if (shim && !fits_preload(*shim, loader))
    return Finding{FindingId::shim_path,
                   formatted("'{}' cannot be named in {}, which gives '{}' a meaning", *shim,
                             loader.preload_variable, loader.separators + loader.expanded),
                   "set XDG_CACHE_HOME to a folder whose path has none of these characters"};
  return shim;
}

/// A profile that raises nothing: stock, unless the user insists on an unlock.
Decision without_claims(const Launch& launch) {
  if (launch.settings.policy.value != Policy::require)
    return {Action::start_stock, 0, launch.decision.findings};
  const std::string& name = launch.selection->profile.name;
  Finding finding{FindingId::nothing_claimed,
                  formatted("profile '{}' claims nothing that can be raised here", name),
                  formatted("metal-unlock profiles show {}", name)};
  return {Action::refuse, catalogue_row(finding.id).run_status, {std::move(finding)}};
}

/// Stock is started exactly as it was typed; only the shim needs links to be passed over.
Plan plan_for(const System& system, const Loader& loader, const Launch& launch,
              const std::vector<std::string>& command) {
  const Environment& environment = system.environment();
  if (launch.decision.action != Action::start_unlocked)
    return {launch.target ? launch.target->typed_file : std::string{}, command,
            stock_change(environment, loader)};
  const std::string handoff = handoff_text(launch.verdict->granted(), launch.scope, loader);
  if (!launch.target) return {{}, command, unlocking_change(environment, loader, launch.shim, handoff)};
  const EnvironmentChange& links = launch.target->change;
  const EnvironmentChange unlocking = unlocking_change(environment.with(links), loader, launch.shim, handoff);
  return {launch.target->file, launch.target->argv, followed_by(links, unlocking)};
}

/// Whether it matters that the shim says it is there: where the loader's verdict is not sure, or the user
/// insists.
bool needs_watch(const Launch& launch, const Outlook& outlook) {
  const bool is_unsure = launch.clearance && launch.clearance->verdict == LoaderVerdict::unknown;
  return outlook.may_watch && (is_unsure || launch.settings.policy.value == Policy::require);
}

std::string words_about_silence(const System& system, const Launch& launch) {
  const bool is_required = launch.settings.policy.value == Policy::require;
  const Finding silence{
      FindingId::shim_silent,
      formatted("the loader did not load the shim into '{}', so it {}", launch.target->program,
                is_required ? "is ended" : "runs stock"),
      is_required ? "run it stock: remove --require" : "find out why: metal-unlock run --dry-run -- COMMAND"};
  return findings_text({&silence, 1}, Style{system.terminal(Stream::err)});
}

/// Everything an unlocked start needs from the outside world: the shim's file, and somebody who listens for
/// it.
void make_ready(System& system, const Outlook& outlook, const Loader& loader, Launch& launch,
                std::vector<Finding>& findings) {
  const Result<std::string> shim = shim_for(system, outlook, loader);
  if (!shim) {
    findings.push_back(shim.finding());
    return;
  }
  launch.shim = *shim;
  if (system.facts(launch.shim).is_quarantined) {
    inspect_target(system, launch, loader, findings);
    return;
  }
  if (!needs_watch(launch, outlook)) return;
  const bool ends_target = launch.settings.policy.value == Policy::require;
  const Result<int> descriptor = system.watch({words_about_silence(system, launch), ends_target});
  if (descriptor)
    launch.scope.watch = *descriptor;
  else
    findings.push_back(descriptor.finding());
}

}  // namespace

Capabilities stock_answers(System& system) {
  const Result<std::vector<DeviceAnswers>> devices = system.ask_metal();
  if (!devices) return {};
  const auto device = std::ranges::find_if(*devices, [](const DeviceAnswers& answers) {
    return std::ranges::find(paravirtual_device_classes, answers.class_name) !=
           paravirtual_device_classes.end();
  });
  return device == devices->end() ? Capabilities{} : capabilities_of(*device);
}

Launch prepare_launch(System& system, const LaunchOptions& options, const std::vector<std::string>& command,
                      const Outlook& outlook) {
  Launch launch;
  launch.settings = load_settings(system, options.flags);
  const Loader loader = system.loader();
  Policy policy = launch.settings.policy.value;
  if (outlook.is_examined && policy == Policy::off) policy = Policy::prefer;
  std::vector<Finding>& findings = launch.findings;
  findings = launch.settings.findings;

  if (!command.empty())
    settle(resolve_target(command, system.environment(), system), launch.target, findings);
  if (auto foreign = find_foreign_shim(system.environment(), loader)) findings.push_back(*std::move(foreign));
  const bool is_observed = policy != Policy::off && observe_machine(system, launch, findings);
  launch.scope = {.children = launch.settings.children.value && !outlook.is_running,
                  .is_target = outlook.is_target,
                  .require = (policy == Policy::require || outlook.must_take_effect) && !outlook.is_running,
                  .log = options.log,
                  .attached = outlook.is_running,
                  .beyond_host = options.allow_beyond_host,
                  .report = outlook.report,
                  .watch = outlook.listener};
  if (launch.target && policy != Policy::off && launch.need == Need::guest)
    inspect_target(system, launch, loader, findings);
  if (launch.target && is_observed && launch.need == Need::guest)
    recognise_program(system, command, launch, findings);
  if (is_observed && launch.need == Need::guest)
    choose_profile(system, options, launch, findings);
  else
    check_requested_profile(system, launch.settings, findings);

  if (launch.verdict) launch.scope.simulated = launch.verdict->simulated();
  launch.decision = decide(policy, launch.need, findings);
  if (launch.decision.action == Action::start_unlocked && launch.verdict->empty())
    launch.decision = without_claims(launch);
  if (launch.decision.action == Action::start_unlocked && outlook.verifying != Verifying::never &&
      launch.settings.verify.value) {
    consult_verdict(system, options, outlook, launch, findings);
    launch.decision = decide(policy, launch.need, findings);
  }
  if (launch.decision.action == Action::start_unlocked) {
    make_ready(system, outlook, loader, launch, findings);
    launch.decision = decide(policy, launch.need, findings);
  }
  launch.plan = plan_for(system, loader, launch, command);
  if (launch.need == Need::guest && policy != Policy::off && launch.decision.action != Action::refuse)
    set_program_variables(system, launch);
  return launch;
}

void fall_back_to_stock(const System& system, const std::vector<std::string>& command, const Finding& reason,
                        Launch& launch) {
  launch.findings.push_back(reason);
  launch.decision = {Action::start_stock, 0, {reason}};
  launch.plan = plan_for(system, system.loader(), launch, command);
  set_program_variables(system, launch);
}

}  // namespace metal_unlock
