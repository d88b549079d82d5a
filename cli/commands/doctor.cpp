// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/launch_verdict.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/paths.hpp"
#include "cli/commands/signed_copy_lines.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/diagnosis.hpp"
#include "cli/core/known_trouble.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/doctor_annotations.hpp"
#include "cli/text/doctor_text.hpp"
#include "cli/text/joined.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/verify_text.hpp"
#include "shim/handoff.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

void add_findings(DiagnosisSection& section, const Launch& launch, DiagnosisPart part) {
  for (const Finding& finding : launch.findings)
    if (part_of(finding.id) == part) section.add(finding);
}

void add_sip(DiagnosisSection& section, SipState sip) {
  if (sip == SipState::unknown)
    section.add({FindingId::sip_unknown, "whether SIP is on is not known", "csrutil status"});
  else
    section.well(formatted("SIP is {}", sip == SipState::on ? "on" : "off"));
}

DiagnosisSection guest_section(const Launch& launch) {
  DiagnosisSection section{"guest", {}};
  const Machine& machine = launch.machine;
  add_findings(section, launch, DiagnosisPart::guest);
  if (launch.need == Need::bare_metal || launch.need == Need::no_mac) {
    section.well(formatted("nothing to unlock: {}", reason_text(launch.need, machine)));
    return section;
  }
  if (machine.os.empty()) return section;
  section.well(formatted("{} {} on {}", machine.os, machine.os_version, machine.model));
  section.well(formatted("chip {}", physical_chip(machine)));
  add_sip(section, machine.sip);
  if (launch.need == Need::guest_without_gpu) {
    section.add(
        {FindingId::no_device, "this guest has no paravirtual GPU, so nothing can be unlocked",
         "give the virtual machine a display; a sandbox or a session without a window server hides it too"});
    return section;
  }
  section.well(formatted("virtual GPU {}; what it answers stock: metal-unlock probe",
                         joined(machine.accelerators, ", ")));
  section.add(
      {FindingId::host_preference,
       "the host's graphics preference cannot be seen from here; it changed no answer where it was measured",
       "on the host: metal-unlock host status"});
  return section;
}

void add_claims(DiagnosisSection& section, const Launch& launch) {
  for (const FieldVerdict& field : launch.verdict->fields)
    if (field.granted)
      section.well(
          formatted("{} up to {}", field_row(field.field).key, amount_text(field.field, *field.granted)));
  if (launch.verdict->granted().empty())
    section.add(
        {FindingId::nothing_claimed,
         formatted("profile '{}' claims nothing that can be raised here", launch.selection->profile.name),
         formatted("metal-unlock profiles show {}", launch.selection->profile.name)});
}

DiagnosisSection profile_section(const Launch& launch) {
  DiagnosisSection section{"profile", {}};
  if (launch.selection) {
    const Profile& profile = launch.selection->profile;
    section.well(formatted("{} ({}): {}", profile.name, to_text(profile.layer), launch.selection->reason));
    section.well(formatted("ceiling {}", launch.selection->ceiling.origin));
    add_claims(section, launch);
  }
  const Setting<std::string>& report = launch.settings.host_report;
  if (launch.need == Need::guest)
    section.well(report.value.empty() ? std::string{"no host report: the ceiling is the chip's family"}
                                      : formatted("host report {}, from {}", report.value, report.origin));
  add_findings(section, launch, DiagnosisPart::profile);
  return section;
}

/// What `verify` found out, where that is known. `run` asks for it only with --verify.
DiagnosisSection gpu_section(const System& system, const Launch& launch) {
  DiagnosisSection section{"gpu", {}};
  const std::optional<GpuVerdict> verdict = remembered_verdict(system);
  if (!verdict || !launch.verdict) {
    section.well("not verified yet: metal-unlock verify");
    return section;
  }
  const std::string old =
      why_out_of_date(*verdict, verdict_key(launch.machine, *launch.verdict, program_version()));
  if (!old.empty()) {
    section.add({FindingId::verdict_out_of_date,
                 formatted("the verdict from {} is out of date: {}", moment_text(verdict->verified_at), old),
                 "metal-unlock verify"});
    return section;
  }
  std::optional<Finding> fault = fault_of(*verdict);
  if (!fault) {
    section.well("verdict from " + verdict_summary(*verdict));
    return section;
  }
  fault->sentence += formatted(", verdict from {}", moment_text(verdict->verified_at));
  section.add(*fault);
  // Without the setting `run` does not ask, and unlocks.
  if (!launch.settings.verify.value) section.entries.back().severity = Severity::warn;
  return section;
}

DiagnosisSection shim_section(const System& system, const Launch& launch) {
  DiagnosisSection section{"shim", {}};
  const Loader loader = system.loader();
  const Result<std::string> shim = system.shim_location();
  const auto is_shim_finding = [](const Finding& finding) {
    return part_of(finding.id) == DiagnosisPart::shim;
  };
  if (!shim && std::ranges::none_of(launch.findings, is_shim_finding)) section.add(shim.finding());
  if (shim) {
    const bool is_there = system.facts(*shim).kind != FileKind::missing;
    section.well(formatted("{} {}", is_there ? "placed at" : "would be placed at", *shim));
  }
  if (!loader.shim_slices.empty()) section.well(formatted("slices {}", joined(loader.shim_slices, ", ")));
  add_findings(section, launch, DiagnosisPart::shim);
  const bool has_foreign = std::ranges::any_of(
      launch.findings, [](const Finding& finding) { return finding.id == FindingId::foreign_shim; });
  if (!has_foreign) section.well(formatted("no other shim in {}", loader.preload_variable));
  return section;
}

DiagnosisSection settings_section(const System& system, const Launch& launch) {
  DiagnosisSection section{"settings", {}};
  add_findings(section, launch, DiagnosisPart::settings);
  const Setting<Policy>& policy = launch.settings.policy;
  if (policy.value == Policy::off)
    section.add({FindingId::switched_off, formatted("switched off by {}", policy.origin),
                 policy.origin.starts_with("METAL_UNLOCK")
                     ? formatted("unset {}", policy.origin)
                     : formatted("remove the policy in {}", policy.origin)});
  else
    section.well(formatted("policy {}, from {}", to_text(policy.value), policy.origin));
  if (launch.settings.verify.value)
    section.well(formatted("the GPU is verified before an unlock, from {}", launch.settings.verify.origin));
  section.well(launch.settings.children.value ? "children are unlocked too" : "children stay stock");
  if (const auto preload = system.environment().get_non_empty(system.loader().preload_variable))
    section.well(formatted("{} is kept: {}", system.loader().preload_variable, *preload));
  if (system.environment().get(shim::handoff_variable))
    section.well("this process has a handoff already; `run` replaces it");
  return section;
}

/// The entry that the loader's finding was made into.
DiagnosisEntry& own_entry(DiagnosisSection& section, const Finding& finding) {
  return *std::ranges::find(section.entries, finding.sentence, &DiagnosisEntry::sentence);
}

DiagnosisSection target_section(System& system, const Launch& launch) {
  DiagnosisSection section{"target", {}};
  add_findings(section, launch, DiagnosisPart::target);
  if (!launch.target) return section;
  section.title = formatted("target {}", launch.target->typed_file);
  std::vector<DiagnosisEntry> chain;
  for (const Link& link : launch.target->chain)
    chain.push_back(
        {Severity::ok, formatted("{}: {} {}", link.from, to_text(link.kind), link.to), {}, {}, {}});
  section.entries.insert(section.entries.begin(), chain.begin(), chain.end());
  if (!launch.clearance) return section;
  if (!launch.clearance->finding)
    section.well(formatted("the loader inserts the shim: {}", rule_text(*launch.clearance)));
  else if (launch.clearance->offers_copy)
    own_entry(section, *launch.clearance->finding).details = signed_copy_lines(system, *launch.target);
  for (const Finding& remark : launch.clearance->remarks) section.add(remark);
  if (launch.program)
    for (const Finding& note : program_notes(*launch.program, launch.settings.children.value))
      section.add(note);
  return section;
}

std::string answer_text(const System& system, DoctorCommand::Form form, const Diagnosis& diagnosis,
                        const Launch& launch) {
  if (form == DoctorCommand::Form::as_json) return doctor_json(diagnosis, launch);
  if (form == DoctorCommand::Form::as_github) return doctor_annotations(diagnosis);
  return doctor_text(diagnosis, system.terminal(Stream::out));
}

}  // namespace

int run(System& system, const DoctorCommand& command) {
  if (command.paths) return print_written_paths(system, command.form == DoctorCommand::Form::as_json);
  const bool has_target = !command.target.empty();
  const Outlook outlook{.places_shim = false, .is_target = has_target, .is_examined = true};
  const Launch launch = prepare_launch(system, command.launch, command.target, outlook);
  Diagnosis diagnosis{.sections = {guest_section(launch)},
                      .has_need = launch.need == Need::guest || launch.need == Need::guest_without_gpu,
                      .target = has_target ? command.target.front() : std::string{}};
  if (launch.need == Need::guest) diagnosis.sections.push_back(profile_section(launch));
  if (launch.need == Need::guest) diagnosis.sections.push_back(gpu_section(system, launch));
  diagnosis.sections.push_back(shim_section(system, launch));
  diagnosis.sections.push_back(settings_section(system, launch));
  if (has_target) diagnosis.sections.push_back(target_section(system, launch));
  if (!print_answer(system, answer_text(system, command.form, diagnosis, launch))) return status_wrong;
  return diagnosis.is_ready() ? status_fine : status_not_ready;
}

}  // namespace metal_unlock
