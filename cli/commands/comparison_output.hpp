// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/core/pairing.hpp"
#include "cli/platform/system.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// The samples of a file; a finding where they cannot be had.
Result<std::vector<Series>> load_samples(const System& system, const std::string& path, Side side);

/// Writes the chart, if one is wanted, and prints the comparison; `json` is what --json prints. False where
/// either failed, which has then been said.
bool show_comparison(System& system, const ComparisonOutput& output, const Pairing& pairing,
                     const std::string& json);

/// What has no partner, as one finding.
Finding mismatch_finding(const Pairing& pairing);

}  // namespace metal_unlock
