// SPDX-License-Identifier: MIT
#include "cli/core/finding.hpp"

#include <array>
#include <utility>

namespace metal_unlock {
namespace {

using enum FindingId;
using enum Severity;
using enum Cause;

constexpr std::array catalogue{
    CatalogueRow{usage, "usage", fail, mistake, 125},
    CatalogueRow{no_command, "no-command", fail, mistake, 125},
    CatalogueRow{not_found, "not-found", fail, mistake, 127},
    CatalogueRow{not_executable, "not-executable", fail, mistake, 126},
    CatalogueRow{exec_failed, "exec-failed", fail, mistake, 126},
    CatalogueRow{interpreter_missing, "interpreter-missing", fail, mistake, 127},
    CatalogueRow{script_cycle, "script-cycle", fail, mistake, 126},
    CatalogueRow{self_loop, "self-loop", fail, mistake, 125},
    CatalogueRow{profile_unknown, "profile-unknown", fail, mistake, 125},
    CatalogueRow{profile_invalid, "profile-invalid", fail, mistake, 125},
    CatalogueRow{profile_none, "profile-none", warn, circumstance, 125},
    CatalogueRow{claim_refused, "claim-refused", fail, mistake, 125},
    CatalogueRow{claim_above_ceiling, "claim-above-ceiling", fail, mistake, 125},
    CatalogueRow{claim_lowered, "claim-lowered", note, circumstance, 125},
    CatalogueRow{nothing_claimed, "nothing-claimed", warn, circumstance, 125},
    CatalogueRow{beyond_host, "beyond-host", warn, circumstance, 125},
    CatalogueRow{simulated, "simulated", note, circumstance, 125},
    CatalogueRow{config_invalid, "config-invalid", fail, mistake, 125},
    CatalogueRow{setting_invalid, "setting-invalid", fail, mistake, 125},
    CatalogueRow{min_version, "min-version", warn, circumstance, 125},
    CatalogueRow{no_device, "no-device", warn, circumstance, 125},
    CatalogueRow{no_metal, "no-metal", fail, circumstance, 125},
    CatalogueRow{guest_invalid, "guest-invalid", fail, mistake, 125},
    CatalogueRow{host_report_invalid, "host-report-invalid", fail, mistake, 125},
    CatalogueRow{host_report_other_chip, "host-report-other-chip", fail, mistake, 125},
    CatalogueRow{host_report_stale, "host-report-stale", note, circumstance, 125},
    CatalogueRow{host_only, "host-only", fail, circumstance, 125},
    CatalogueRow{preference_failed, "preference-failed", fail, circumstance, 125},
    CatalogueRow{variable_unset, "variable-unset", note, circumstance, 125},
    CatalogueRow{target_setuid, "target-setuid", warn, circumstance, 125},
    CatalogueRow{target_protected, "target-protected", warn, circumstance, 125},
    CatalogueRow{target_hardened, "target-hardened", warn, circumstance, 125},
    CatalogueRow{target_restricted, "target-restricted", warn, circumstance, 125},
    CatalogueRow{target_encrypted, "target-encrypted", warn, circumstance, 125},
    CatalogueRow{target_platform, "target-platform", warn, circumstance, 125},
    CatalogueRow{target_validates_libraries, "target-validates-libraries", warn, circumstance, 125},
    CatalogueRow{target_architecture, "target-architecture", warn, circumstance, 125},
    CatalogueRow{target_rosetta, "target-rosetta", warn, circumstance, 125},
    CatalogueRow{target_sandboxed, "target-sandboxed", warn, circumstance, 125},
    CatalogueRow{target_unsigned, "target-unsigned", warn, circumstance, 125},
    CatalogueRow{target_unreadable, "target-unreadable", note, circumstance, 125},
    CatalogueRow{target_uncertain, "target-uncertain", note, circumstance, 125},
    CatalogueRow{target_quarantined, "target-quarantined", note, circumstance, 125},
    CatalogueRow{target_wrapper, "target-wrapper", warn, circumstance, 125},
    CatalogueRow{script_interpreter, "script-interpreter", warn, circumstance, 125},
    CatalogueRow{shim_quarantined, "shim-quarantined", warn, circumstance, 125},
    CatalogueRow{prepare_refused, "prepare-refused", fail, mistake, 125},
    CatalogueRow{prepare_failed, "prepare-failed", fail, circumstance, 125},
    CatalogueRow{bad_guest, "bad-guest", warn, circumstance, 125},
    CatalogueRow{gains_nothing, "gains-nothing", note, circumstance, 125},
    CatalogueRow{known_trap, "known-trap", note, circumstance, 125},
    CatalogueRow{switched_off, "switched-off", warn, circumstance, 125},
    CatalogueRow{sip_unknown, "sip-unknown", note, circumstance, 125},
    CatalogueRow{host_preference, "host-preference", note, circumstance, 125},
    CatalogueRow{shim_unplaced, "shim-unplaced", warn, circumstance, 125},
    CatalogueRow{shim_path, "shim-path", warn, circumstance, 125},
    CatalogueRow{shim_silent, "shim-silent", warn, circumstance, 125},
    CatalogueRow{foreign_shim, "foreign-shim", warn, circumstance, 125},
    CatalogueRow{report_unwritten, "report-unwritten", fail, mistake, 125},
    CatalogueRow{file_unreadable, "file-unreadable", fail, mistake, 125},
    CatalogueRow{samples_invalid, "samples-invalid", fail, mistake, 125},
    CatalogueRow{samples_differ, "samples-differ", warn, circumstance, 125},
    CatalogueRow{bench_impossible, "bench-impossible", fail, circumstance, 125},
    CatalogueRow{bench_needless, "bench-needless", note, circumstance, 125},
    CatalogueRow{option_added, "option-added", note, circumstance, 125},
    CatalogueRow{bench_interrupted, "bench-interrupted", warn, circumstance, 125},
    CatalogueRow{run_excluded, "run-excluded", warn, circumstance, 125},
    CatalogueRow{evidence_unwritten, "evidence-unwritten", fail, mistake, 125},
    CatalogueRow{agent_refused, "agent-refused", fail, mistake, 125},
    CatalogueRow{launchd_failed, "launchd-failed", fail, circumstance, 125},
    CatalogueRow{gpu_faulty, "gpu-faulty", warn, circumstance, 125},
    CatalogueRow{gpu_stuck, "gpu-stuck", warn, circumstance, 125},
    CatalogueRow{verify_impossible, "verify-impossible", warn, circumstance, 125},
    CatalogueRow{verify_needless, "verify-needless", note, circumstance, 125},
    CatalogueRow{verify_interrupted, "verify-interrupted", fail, mistake, 125},
    CatalogueRow{verdict_unkept, "verdict-unkept", note, circumstance, 125},
    CatalogueRow{verdict_out_of_date, "verdict-out-of-date", note, circumstance, 125},
    CatalogueRow{process_unsuitable, "process-unsuitable", fail, mistake, 125},
    CatalogueRow{already_loaded, "already-loaded", fail, circumstance, 125},
    CatalogueRow{attach_denied, "attach-denied", fail, circumstance, 125},
    CatalogueRow{attach_failed, "attach-failed", fail, circumstance, 125},
    CatalogueRow{debugger_missing, "debugger-missing", fail, circumstance, 125},
    CatalogueRow{output_failed, "output-failed", fail, circumstance, 125},
};

constexpr bool rows_follow_the_enumeration() {
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (static_cast<std::size_t>(catalogue.at(i).id) != i) return false;
  return true;
}
static_assert(rows_follow_the_enumeration());
static_assert(catalogue.size() == static_cast<std::size_t>(output_failed) + 1);

}  // namespace

std::span<const CatalogueRow> finding_catalogue() { return catalogue; }

const CatalogueRow& catalogue_row(FindingId id) { return catalogue.at(static_cast<std::size_t>(id)); }

Finding::Finding(FindingId finding_id, std::string what, std::string next_step,
                 std::vector<std::string> lines)
    : id(finding_id),
      sentence(std::move(what)),
      next(std::move(next_step)),
      details(std::move(lines)),
      severity(catalogue_row(finding_id).severity),
      cause(catalogue_row(finding_id).cause) {}

Finding as_circumstance(Finding finding) {
  finding.cause = Cause::circumstance;
  finding.severity = Severity::warn;
  return finding;
}

}  // namespace metal_unlock
