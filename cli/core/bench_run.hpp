// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/measurements.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace metal_unlock {

/// What else goes on on a machine; empty where this system does not say.
struct MachineState {
  unsigned processors = 1;
  std::optional<double> busy_seconds;  ///< processor time of all processes since some moment
  std::optional<bool> on_battery;
  std::optional<unsigned> thermal_pressure;  ///< 0: none

  bool operator==(const MachineState&) const = default;
};

/// What a target that was run to its end left behind.
struct Finished {
  int status = 0;  ///< exit status; 128 + signal where one ended it
  bool timed_out = false;
  bool interrupted = false;       ///< the user wants to stop; it was ended, or not started at all
  bool printed_too_much = false;  ///< more than was kept
  std::string output;             ///< its stdout
  std::string errors;             ///< its stderr
  std::string heard;              ///< what the shim said while it was loaded
  double wall_seconds = 0;
  double processor_seconds = 0;  ///< of it and its children
};

/// One planned run.
struct Turn {
  Side side = Side::stock;
  std::size_t number = 1;  ///< among those of its side and kind, from 1
  bool is_warmup = false;

  bool operator==(const Turn&) const = default;
};

/// All turns in order: stock and unlocked take turns, and which of the two comes first alternates from pair
/// to pair, so that a machine that gets slower, or faster, favours neither. Warm-ups come first.
std::vector<Turn> turns_of(std::size_t runs, std::size_t warmups, std::span<const Side> sides);

/// "stock-1", "warmup-unlocked-1": also the stem of its files.
std::string name_of(const Turn& turn);

/// One finished run.
struct BenchRun {
  Turn turn;
  int status = 0;
  double wall_seconds = 0;
  double processor_seconds = 0;
  std::optional<double> others_busy;  ///< processors that other programs kept busy meanwhile
  Measurements measurements;
  std::string exclusion;  ///< why its samples do not count; empty: they do

  bool counts() const { return !turn.is_warmup && exclusion.empty(); }
};

/// What a run is judged by.
struct RunCircumstances {
  MachineState first;  ///< before the first run of all
  MachineState before;
  MachineState after;
  bool allows_load = false;
};

/// Processors that other programs kept busy during a run; none where the system does not say.
std::optional<double> others_busy(const Finished& finished, const MachineState& before,
                                  const MachineState& after);

/// Why a run must not be averaged in: it failed, ran out of time, was not unlocked, or the machine was not
/// the same as for the others. Empty: nothing speaks against it.
std::string exclusion_of(const Turn& turn, const Finished& finished, const RunCircumstances& circumstances);

/// Excludes the runs whose samples are of another form than those of most.
void exclude_other_forms(std::vector<BenchRun>& runs);

/// The samples of all runs of a side that count, workload by workload.
std::vector<Series> series_of(std::span<const BenchRun> runs, Side side);

/// How long the turns that are left will take, by the median of those done; none before any was.
std::optional<double> seconds_left(std::span<const BenchRun> done, std::span<const Turn> all);

/// Wall and processor time as samples, for a program that prints none.
Measurements times_of(const Finished& finished, std::string_view program);

}  // namespace metal_unlock
