// SPDX-License-Identifier: MIT
#include "cli/core/measurements.hpp"
#include "cli/core/statistics.hpp"
#include "cli/core/timing_lines.hpp"
#include "cli/text/comparison_json.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

void check_series(const std::vector<Series>& all, std::string_view bytes) {
  std::size_t samples = 0;
  for (const Series& series : all) {
    promise(!series.samples.empty(), "a series has a sample");
    promise(std::ranges::all_of(series.samples, is_measurement), "every sample is a measurement");
    const auto same = [&](const Series& other) {
      return other.workload == series.workload && other.unit == series.unit;
    };
    promise(std::ranges::count_if(all, same) == 1, "a workload stands there once");
    samples += series.samples.size();
  }
  promise(samples <= bytes.size(), "no more samples than bytes");
}

/// Written as `compare --json` does, with these as one side.
std::string written_series(const std::vector<Series>& all) {
  Pairing pairing;
  for (const Series& series : all)
    pairing.rows.push_back({series.workload, series.unit, series.samples, {}, {}});
  return comparison_json(pairing);
}

}  // namespace

void fuzz_samples(std::string_view bytes) {
  for (const Side side : all_sides) {
    const auto read = read_measurements(bytes, "samples", side);
    if (!read) {
      promise_told(read.finding(), bytes);
      continue;
    }
    promise(!read->series.empty(), "a file has a series");
    check_series(read->series, bytes);
    // A log may hold bytes that are no UTF-8, which JSON cannot say.
    if (read->format == SampleFormat::timing_lines) return;
    const auto again = read_measurements(written_series(read->series), "samples", Side::stock);
    promise(again && again->series == read->series, "samples that are written read as they were");
    if (read->format != SampleFormat::own) return;
  }
}

void fuzz_timing_lines(std::string_view bytes) {
  const auto read = read_timing_lines(bytes, "log");
  if (read)
    check_series(*read, bytes);
  else
    promise_told(read.finding(), bytes);
}

}  // namespace metal_unlock
