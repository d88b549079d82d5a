// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/host_reports.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/need.hpp"
#include "cli/core/profile_parse.hpp"
#include "cli/text/explain_text.hpp"
#include "cli/text/findings_text.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

void say(System& system, const std::vector<Finding>& findings) {
  system.write(Stream::err, findings_text(findings, Style{system.terminal(Stream::err)}));
}

/// The recorded guest, or this machine: what it is and what its Metal answers.
Result<GuestReport> asked_machine(System& system, const std::string& recording) {
  if (!recording.empty()) {
    const Result<std::string> text = system.read_file(recording, largest_text_file);
    if (!text) return text.finding();
    return parse_guest_report(*text, recording);
  }
  const Result<Machine> machine = system.observe();
  if (!machine) return machine.finding();
  GuestReport report;
  report.machine = *machine;
  // Without Metal the question still has an answer for the unlocked guest and the host.
  if (need_of(*machine) == Need::no_mac) return report;
  if (Result<std::vector<DeviceAnswers>> devices = system.ask_metal()) report.devices = *std::move(devices);
  return report;
}

const DeviceAnswers* device_of(const GuestReport& report) {
  const auto is_virtual = [](const DeviceAnswers& device) {
    return std::ranges::find(paravirtual_device_classes, device.class_name) !=
           paravirtual_device_classes.end();
  };
  const auto found = std::ranges::find_if(report.devices, is_virtual);
  if (found != report.devices.end()) return &*found;
  return report.devices.empty() ? nullptr : &report.devices.front();
}

/// Adds what the unlock makes of a guest's answers.
void compare_guest(System& system, const LaunchOptions& options, ExplainedPlace& place) {
  const Settings settings = load_settings(system, options.flags);
  FoundReport found = find_host_report(system, settings, place.machine);
  std::vector<Finding> findings = settings.findings;
  findings.insert(findings.end(), found.findings.begin(), found.findings.end());
  const Result<Selection> selection = select(load_library(system), physical_chip(place.machine),
                                             profile_request(system, settings), found.report);
  if (!selection) {
    findings.push_back(selection.finding());
    place.answers.unlocked = place.answers.stock;
    if (found.report) place.answers.bare_metal = found.report->device;
    return say(system, findings);
  }
  const DeviceAnswers stock = place.answers.stock.value_or(DeviceAnswers{});
  const Verdict verdict = validate(*selection, place.answers.stock ? capabilities_of(stock) : Capabilities{},
                                   options.allow_beyond_host);
  findings.insert(findings.end(), verdict.findings.begin(), verdict.findings.end());
  place.profile = selection->profile.name;
  place.ceiling = selection->ceiling.origin;
  if (place.answers.stock) place.answers.unlocked = unlocked_answers(stock, verdict);
  place.answers.bare_metal = bare_metal_answers(place.machine, selection->ceiling.amounts, found.report);
  say(system, findings);
}

ExplainedPlace place_of(System& system, const LaunchOptions& options, const GuestReport& report) {
  ExplainedPlace place;
  place.machine = report.machine;
  if (const DeviceAnswers* device = device_of(report)) place.answers.stock = *device;
  const Need need = need_of(report.machine);
  if (need == Need::guest) {
    compare_guest(system, options, place);
  } else {
    // Nothing is unlocked here, so nothing differs.
    place.answers.unlocked = place.answers.stock;
    if (need == Need::bare_metal) place.answers.bare_metal = place.answers.stock;
  }
  return place;
}

}  // namespace

int run(System& system, const ExplainCommand& command) {
  const ProgramLibrary library = load_programs(system);
  std::vector<Program> programs;
  std::vector<Finding> faults;
  const bool is_list = command.program.empty();
  for (const std::string& name : is_list ? library.names() : std::vector{command.program}) {
    Result<Program> program = library.load(name);
    if (program)
      programs.push_back(*std::move(program));
    else
      faults.push_back(program.finding());
  }
  say(system, faults);
  if (programs.empty()) return status_wrong;
  const Result<GuestReport> report = asked_machine(system, command.guest);
  if (!report) {
    say(system, {report.finding()});
    return status_wrong;
  }
  const ExplainedPlace place = place_of(system, command.launch, *report);
  const std::string text = command.json ? explain_json(programs, place)
                           : is_list    ? explain_list_text(programs, place)
                                        : explain_text(programs.front(), place);
  return print_answer(system, text) && faults.empty() ? status_fine : status_wrong;
}

}  // namespace metal_unlock
