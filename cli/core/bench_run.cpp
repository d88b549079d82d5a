// SPDX-License-Identifier: MIT
#include "cli/core/bench_run.hpp"

#include "cli/core/statistics.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

void add_turns(std::vector<Turn>& turns, std::size_t count, bool is_warmup, std::span<const Side> sides) {
  for (std::size_t number = 1; number <= count; ++number) {
    std::vector<Side> order{sides.begin(), sides.end()};
    if (number % 2 == 0) std::ranges::reverse(order);
    for (const Side side : order) turns.push_back({side, number, is_warmup});
  }
}

/// What the machine did to a run; empty: nothing.
std::string contamination(const Finished& finished, const RunCircumstances& seen) {
  // Heat and a battery slow down whatever is measured, for minutes.
  for (const MachineState* state : {&seen.before, &seen.after}) {
    if (state->thermal_pressure.value_or(0) > 0) return "the machine was slowed down by heat";
    if (state->on_battery != seen.first.on_battery) return "the power source changed";
  }
  if (seen.allows_load) return {};
  const auto busy = others_busy(finished, seen.before, seen.after);
  // Clocks of processor time tick: in a moment even an idle machine can look busy.
  constexpr double least_seconds = 0.5;
  constexpr double tolerated_share = 0.1;
  constexpr double tolerated_processors = 0.5;
  const double tolerated = std::max(tolerated_processors, tolerated_share * seen.before.processors);
  if (!busy || *busy <= tolerated || *busy * finished.wall_seconds < least_seconds) return {};
  return formatted("other programs kept {:.1f} of {} processors busy", *busy, seen.before.processors);
}

std::string failure(const Turn& turn, const Finished& finished) {
  if (finished.timed_out) return formatted("it was ended after {:.0f} s", finished.wall_seconds);
  if (finished.status > 128) return formatted("signal {} ended it", finished.status - 128);
  if (finished.status != 0) return formatted("it ended with status {}", finished.status);
  if (finished.printed_too_much) return "it printed more than is kept";
  const bool is_loaded = finished.heard.find(R"("event":"loaded")") != std::string::npos;
  if (turn.side == Side::unlocked && !is_loaded) return "the shim was not loaded";
  return {};
}

}  // namespace

std::vector<Turn> turns_of(std::size_t runs, std::size_t warmups, std::span<const Side> sides) {
  std::vector<Turn> turns;
  add_turns(turns, warmups, true, sides);
  add_turns(turns, runs, false, sides);
  return turns;
}

std::string name_of(const Turn& turn) {
  return formatted("{}{}-{}", turn.is_warmup ? "warmup-" : "", to_text(turn.side), turn.number);
}

std::optional<double> others_busy(const Finished& finished, const MachineState& before,
                                  const MachineState& after) {
  if (!before.busy_seconds || !after.busy_seconds || finished.wall_seconds <= 0) return std::nullopt;
  const double others = *after.busy_seconds - *before.busy_seconds - finished.processor_seconds;
  return std::max(0.0, others) / finished.wall_seconds;
}

std::string exclusion_of(const Turn& turn, const Finished& finished, const RunCircumstances& circumstances) {
  const std::string failed = failure(turn, finished);
  return failed.empty() ? contamination(finished, circumstances) : failed;
}

void exclude_other_forms(std::vector<BenchRun>& runs) {
  std::array<std::size_t, 5> counts{};
  for (const BenchRun& run : runs)
    if (run.counts()) ++counts.at(static_cast<std::size_t>(run.measurements.format));
  const auto most = std::ranges::max_element(counts) - counts.begin();
  for (BenchRun& run : runs)
    if (run.counts() && static_cast<std::ptrdiff_t>(run.measurements.format) != most)
      run.exclusion = formatted("it has {}, others have {}", to_text(run.measurements.format),
                                to_text(static_cast<SampleFormat>(most)));
}

std::vector<Series> series_of(std::span<const BenchRun> runs, Side side) {
  std::vector<Series> all;
  for (const BenchRun& run : runs)
    if (run.counts() && run.turn.side == side)
      for (const Series& series : run.measurements.series) add_series(all, series);
  return all;
}

std::optional<double> seconds_left(std::span<const BenchRun> done, std::span<const Turn> all) {
  double seconds = 0;
  std::vector<double> any;
  for (const BenchRun& run : done) any.push_back(run.wall_seconds);
  if (any.empty()) return std::nullopt;
  for (const Turn& turn : all.subspan(std::min(done.size(), all.size()))) {
    std::vector<double> same;
    for (const BenchRun& run : done)
      if (run.turn.side == turn.side) same.push_back(run.wall_seconds);
    const auto summary = summarise(same.empty() ? any : same);
    seconds += summary ? summary->median : 0;
  }
  return seconds;
}

Measurements times_of(const Finished& finished, std::string_view program) {
  const auto series = [&](std::string test, double seconds) {
    Workload workload;
    workload.test = std::move(test);
    workload.model = program;
    return Series{std::move(workload), Unit::seconds, {seconds}};
  };
  return {SampleFormat::times,
          {series("wall time", finished.wall_seconds), series("CPU time", finished.processor_seconds)}};
}

}  // namespace metal_unlock
