// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/report_text.hpp"
#include "shim/handoff.hpp"

namespace metal_unlock {
namespace {

Result<GuestReport> ask_here(System& system) {
  const Result<Machine> machine = system.observe();
  if (!machine) return machine.finding();
  Result<std::vector<DeviceAnswers>> devices = system.ask_metal();
  if (!devices) return devices.finding();
  return GuestReport{std::string{program_version()}, false, *machine, *std::move(devices)};
}

/// Starts this program again as a target of its own, and reads what it answers there.
Result<GuestReport> ask_unlocked(System& system, const ProbeCommand& command) {
  const Outlook outlook{.places_shim = true, .is_target = true};
  Launch launch = prepare_launch(system, command.launch, {system.own_path(), "probe", "--json"}, outlook);
  if (launch.decision.action == Action::refuse) return launch.decision.findings.front();
  system.write(Stream::err, findings_text(launch.decision.findings, Style{system.terminal(Stream::err)}));
  const bool is_unlocked = launch.decision.action == Action::start_unlocked;
  const Result<Captured> captured = system.capture(launch.plan);
  if (!captured) return captured.finding();
  if (captured->status != 0)
    return Finding{FindingId::no_metal, formatted("the unlocked probe ended with {}", captured->status),
                   "metal-unlock probe"};
  Result<GuestReport> report = parse_guest_report(captured->output, "the unlocked probe");
  if (report) report->unlocked = is_unlocked;
  return report;
}

}  // namespace

int run(System& system, const ProbeCommand& command) {
  const Result<GuestReport> report = command.unlocked ? ask_unlocked(system, command) : ask_here(system);
  if (!report) return fail(system, report.finding());
  const std::string text = command.json ? guest_report_json(*report) : report_text(*report);
  return print_answer(system, text) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
