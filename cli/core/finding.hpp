// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

enum class Severity : std::uint8_t { ok, note, warn, fail };

/// Every finding the program can make. Adding one means adding its row to the catalogue in finding.cpp.
enum class FindingId : std::uint8_t {
  usage,
  no_command,
  not_found,
  not_executable,
  exec_failed,
  interpreter_missing,
  script_cycle,
  self_loop,
  profile_unknown,
  profile_invalid,
  profile_none,
  claim_refused,
  claim_above_ceiling,
  claim_lowered,
  nothing_claimed,
  beyond_host,
  simulated,
  config_invalid,
  setting_invalid,
  min_version,
  no_device,
  no_metal,
  guest_invalid,
  host_report_invalid,
  host_report_other_chip,
  host_report_stale,
  host_only,
  preference_failed,
  variable_unset,
  target_setuid,
  target_protected,
  target_hardened,
  target_restricted,
  target_encrypted,
  target_platform,
  target_validates_libraries,
  target_architecture,
  target_rosetta,
  target_sandboxed,
  target_unsigned,
  target_unreadable,
  target_uncertain,
  target_quarantined,
  target_wrapper,
  script_interpreter,
  shim_quarantined,
  prepare_refused,
  prepare_failed,
  bad_guest,
  gains_nothing,
  known_trap,
  switched_off,
  sip_unknown,
  host_preference,
  shim_unplaced,
  shim_path,
  shim_silent,
  foreign_shim,
  report_unwritten,
  file_unreadable,
  samples_invalid,
  samples_differ,
  bench_impossible,
  bench_needless,
  option_added,
  bench_interrupted,
  run_excluded,
  evidence_unwritten,
  agent_refused,
  launchd_failed,
  gpu_faulty,
  gpu_stuck,
  verify_impossible,
  verify_needless,
  verify_interrupted,
  verdict_unkept,
  verdict_out_of_date,
  process_unsuitable,
  already_loaded,
  attach_denied,
  attach_failed,
  debugger_missing,
  output_failed,
};

/// Whose doing it is: a user's own mistake is never passed over, a circumstance is weighed by the policy.
enum class Cause : std::uint8_t { mistake, circumstance };

/// What is the same for every finding with one id.
struct CatalogueRow {
  FindingId id;
  std::string_view name;  ///< kebab-case, stable, printed in brackets
  Severity severity;
  Cause cause;
  int run_status;  ///< exit status of `run` when the finding stops it: 125, 126 or 127
};

/// All rows, in the order of FindingId.
std::span<const CatalogueRow> finding_catalogue();
const CatalogueRow& catalogue_row(FindingId id);

/// One observation, with the values seen and a next step.
struct Finding {
  FindingId id;
  std::string sentence;              ///< one sentence, lower case, no full stop, values quoted
  std::string next;                  ///< what to do: a command where there is one
  std::vector<std::string> details;  ///< further lines of the same observation, one per field or file
  Severity severity;
  Cause cause;

  /// Takes severity and cause from the catalogue.
  Finding(FindingId id, std::string sentence, std::string next, std::vector<std::string> details = {});

  bool operator==(const Finding&) const = default;
};

/// The same of a file that was found, not named: no mistake of the user's, so the policy decides, and it
/// warns.
Finding as_circumstance(Finding finding);

}  // namespace metal_unlock
