// SPDX-License-Identifier: MIT
#include "cli/core/measurements.hpp"

#include "cli/core/sample_json.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/timing_lines.hpp"

#include <algorithm>

namespace metal_unlock {

std::string_view to_text(SampleFormat format) {
  switch (format) {
    case SampleFormat::llama_bench:
      return "llama-bench JSON";
    case SampleFormat::mlx_lm:
      return "MLX-LM JSON";
    case SampleFormat::timing_lines:
      return "timing lines";
    case SampleFormat::own:
      return "metal-unlock JSON";
    case SampleFormat::times:
      break;
  }
  return "wall and CPU time";
}

std::string_view to_text(Unit unit) { return unit == Unit::seconds ? "s" : "tokens/s"; }

std::string_view to_text(Side side) {
  switch (side) {
    case Side::stock:
      return "stock";
    case Side::unlocked:
      return "unlocked";
    case Side::host:
      break;
  }
  return "host";
}

void add_series(std::vector<Series>& all, Series series) {
  const auto same = std::ranges::find_if(all, [&](const Series& other) {
    return other.workload == series.workload && other.unit == series.unit;
  });
  if (same == all.end())
    all.push_back(std::move(series));
  else
    same->samples.insert(same->samples.end(), series.samples.begin(), series.samples.end());
}

namespace {

Result<Measurements> read_any_form(std::string_view text, std::string_view name, Side side) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return invalid_samples(name, "1:1", "is empty");
  if (looks_like_json(text)) return read_sample_json(text, name, side);
  Result<std::vector<Series>> lines = read_timing_lines(text, name);
  if (!lines) return lines.finding();
  if (lines->empty()) return invalid_samples(name, "1:1", "has no samples of a known form");
  return Measurements{SampleFormat::timing_lines, *std::move(lines)};
}

}  // namespace

Result<Measurements> read_measurements(std::string_view text, std::string_view name, Side side) {
  constexpr std::size_t most_samples = 100'000;
  Result<Measurements> measurements = read_any_form(text, name, side);
  if (!measurements) return measurements;
  for (const Series& series : measurements->series)
    if (series.samples.size() > most_samples)
      return invalid_samples(name, series.workload.test, formatted("has more than {} samples", most_samples));
  return measurements;
}

}  // namespace metal_unlock
