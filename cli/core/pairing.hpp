// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/measurements.hpp"
#include "cli/core/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// One workload, measured on up to three sides; a side without samples was not measured.
struct Row {
  Workload workload;
  Unit unit = Unit::tokens_per_second;
  std::vector<double> stock;
  std::vector<double> unlocked;
  std::vector<double> host;

  const std::vector<double>& samples(Side side) const;
  Better better() const { return unit == Unit::seconds ? Better::less : Better::more; }
  /// Stock against unlocked; nothing where either was not measured.
  std::optional<Comparison> comparison() const;
  /// How much of the host's speed the unlocked guest reaches, 1 being all of it.
  std::optional<double> host_share() const;

  bool operator==(const Row&) const = default;
};

struct SideSummary {
  Side side;
  Summary summary;
};

/// The sides of a row that were measured.
std::vector<SideSummary> summaries_of(const Row& row);
/// The largest sample of all sides: the end of a scale.
double most_of(const std::vector<SideSummary>& sides);

struct Pairing {
  std::vector<Row> rows;                ///< in the order of the stock side
  std::vector<std::string> mismatches;  ///< one clause for each series that has no partner
};

/// Brings together what has the same workload on every side. What differs in anything is named, never paired.
/// Where the host was not measured, `host` is empty.
Pairing pair_series(const std::vector<Series>& stock, const std::vector<Series>& unlocked,
                    const std::vector<Series>& host);

/// "llama 1B Q4_K - Medium, 636.2 MiB, build ee3d1b54c (10167), 8 threads"; empty where nothing is known.
std::string description_of(const Workload& workload);

}  // namespace metal_unlock
