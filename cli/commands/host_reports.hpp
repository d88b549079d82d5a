// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/host_report.hpp"
#include "cli/core/settings.hpp"
#include "cli/platform/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// The host report that counts for a start, and what was wrong with it or with those before it.
struct FoundReport {
  std::optional<HostReport> report;
  std::vector<Finding> findings;
};

/// Where a host report is looked for when none is named, in order: the shared folders, then the user's
/// configuration folder.
std::vector<std::string> host_report_places(const System& system);

/// The report that was named, or the first usable one of those places. A named one that cannot be used is a
/// mistake and no other takes its place; of one that was found, a note remains.
FoundReport find_host_report(const System& system, const Settings& settings, const Machine& guest);

}  // namespace metal_unlock
