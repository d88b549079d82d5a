// SPDX-License-Identifier: MIT
#include "cli/core/diagnosis.hpp"

#include "cli/core/decide.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

bool has_failure(const DiagnosisSection& section) {
  return std::ranges::any_of(section.entries,
                             [](const DiagnosisEntry& entry) { return entry.severity == Severity::fail; });
}

std::string counted(std::size_t number, std::string_view what) {
  return number == 0 ? std::string{} : formatted("{} {}", number, what);
}

}  // namespace

void DiagnosisSection::add(const Finding& finding) {
  const Severity severity = is_in_the_way(finding) ? Severity::fail : finding.severity;
  entries.push_back({severity, finding.sentence, std::string{catalogue_row(finding.id).name}, finding.next,
                     finding.details});
}

DiagnosisPart part_of(FindingId id) {
  using enum FindingId;
  switch (id) {
    case not_found:
    case not_executable:
    case exec_failed:
    case interpreter_missing:
    case script_cycle:
    case self_loop:
    case target_setuid:
    case target_protected:
    case target_hardened:
    case target_restricted:
    case target_encrypted:
    case target_platform:
    case target_validates_libraries:
    case target_architecture:
    case target_rosetta:
    case target_sandboxed:
    case target_unsigned:
    case target_unreadable:
    case target_uncertain:
    case target_quarantined:
    case target_wrapper:
    case script_interpreter:
    case bad_guest:
    case gains_nothing:
    case known_trap:
    case variable_unset:
      return DiagnosisPart::target;
    case profile_unknown:
    case profile_invalid:
    case profile_none:
    case claim_refused:
    case claim_above_ceiling:
    case claim_lowered:
    case nothing_claimed:
    case beyond_host:
    case host_report_invalid:
    case host_report_other_chip:
    case host_report_stale:
    case simulated:
      return DiagnosisPart::profile;
    case shim_unplaced:
    case shim_path:
    case shim_silent:
    case shim_quarantined:
    case foreign_shim:
      return DiagnosisPart::shim;
    case config_invalid:
    case setting_invalid:
    case min_version:
    case switched_off:
    case file_unreadable:
      return DiagnosisPart::settings;
    default:
      return DiagnosisPart::guest;
  }
}

std::size_t Diagnosis::count(Severity severity) const {
  std::size_t number = 0;
  for (const DiagnosisSection& section : sections)
    for (const DiagnosisEntry& entry : section.entries)
      if (entry.severity == severity) ++number;
  return number;
}

std::string Diagnosis::verdict() const {
  std::string counts = counted(count(Severity::fail), "fail");
  const std::string warnings = counted(count(Severity::warn), "warn");
  if (!counts.empty() && !warnings.empty()) counts += ", ";
  counts += warnings;
  const std::string tail = counts.empty() ? std::string{} : formatted(" ({})", counts);
  if (is_ready()) return (has_need ? "ready" : "ready, with nothing to unlock here") + tail;
  const bool is_guest_ready = std::none_of(sections.begin(), sections.end() - 1, has_failure);
  if (target.empty() || !is_guest_ready) return "not ready" + tail;
  return formatted("guest ready, '{}' is not{}", target, tail);
}

}  // namespace metal_unlock
