// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/host_report.hpp"
#include "cli/core/need.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/host_text.hpp"
#include "cli/text/json_text.hpp"

namespace metal_unlock {
namespace {

Result<HostReport> ask_host(System& system, const Machine& machine) {
  // A guest is told so before its Metal is started for nothing.
  if (need_of(machine) != Need::bare_metal) return make_host_report(machine, {}, program_version());
  const Result<std::vector<DeviceAnswers>> devices = system.ask_metal();
  if (!devices) return devices.finding();
  return make_host_report(machine, *devices, program_version());
}

int report(System& system, const HostCommand& command, const Machine& machine) {
  const Result<HostReport> report = ask_host(system, machine);
  if (!report) return fail(system, report.finding());
  const std::string text = command.json ? host_report_json(*report) : host_report_toml(*report);
  if (command.output.empty()) return print_answer(system, text) ? status_fine : status_wrong;
  const Result<std::string> written = system.replace_file(command.output, text);
  if (!written) return fail(system, written.finding());
  return status_fine;
}

int preference(System& system, const HostCommand& command, const Machine& machine) {
  if (const Need need = need_of(machine); need != Need::bare_metal)
    return fail(system, {FindingId::host_only, formatted("{}, and no host", reason_text(need, machine)),
                         "run it on the physical Mac, as the user who starts the virtual machines"});
  const Result<PreferenceState> before = system.host_preference();
  if (!before) return fail(system, before.finding());
  if (command.action == HostCommand::Action::status) {
    const std::string text = command.json ? host_preference_json(*before) : host_preference_text(*before);
    return print_answer(system, text) ? status_fine : status_wrong;
  }
  const bool on = command.action == HostCommand::Action::enable;
  const PreferenceState wanted = on ? PreferenceState::on : PreferenceState::unset;
  const Result<PreferenceState> after = *before == wanted ? before : system.set_host_preference(on);
  if (!after) return fail(system, after.finding());
  if (*after != wanted)
    return fail(system, {FindingId::preference_failed,
                         formatted("{} is {} after it was changed", preference_key, to_text(*after)),
                         formatted("see what manages it: defaults read {}", preference_domain)});
  const std::string text = command.json ? host_preference_json(*after) : host_change_text(*before, *after);
  return print_answer(system, text) ? status_fine : status_wrong;
}

}  // namespace

int run(System& system, const HostCommand& command) {
  const Result<Machine> machine = system.observe();
  if (!machine) return fail(system, machine.finding());
  return command.action == HostCommand::Action::report ? report(system, command, *machine)
                                                       : preference(system, command, *machine);
}

}  // namespace metal_unlock
