// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison_output.hpp"
#include "cli/commands/output.hpp"
#include "cli/text/comparison_json.hpp"

namespace metal_unlock {

int run(System& system, const CompareCommand& command) {
  std::vector<std::vector<Series>> sides(3);
  bool are_readable = true;
  for (std::size_t i = 0; i < command.files.size(); ++i) {
    Result<std::vector<Series>> series = load_samples(system, command.files[i], all_sides[i]);
    if (series) {
      sides[i] = *std::move(series);
      continue;
    }
    are_readable = false;
    tell(system, series.finding());
  }
  if (!are_readable) return status_usage;
  const Pairing pairing = pair_series(sides[0], sides[1], sides[2]);
  if (!pairing.mismatches.empty()) tell(system, mismatch_finding(pairing));
  if (pairing.rows.empty()) return status_wrong;
  const bool is_shown = show_comparison(system, command.output, pairing, comparison_json(pairing));
  return is_shown && pairing.mismatches.empty() ? status_fine : status_wrong;
}

}  // namespace metal_unlock
