// SPDX-License-Identifier: MIT
#include "cli/core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace metal_unlock {
namespace {

using Samples = std::vector<double>;

Samples sorted(std::span<const double> samples) {
  Samples all{samples.begin(), samples.end()};
  std::ranges::sort(all);
  return all;
}

/// Half of each, since their sum may be beyond what a double holds.
double middle(double low, double high) { return low == high ? low : low / 2 + high / 2; }

double median_of_sorted(const Samples& samples) {
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : middle(samples[half - 1], samples[half]);
}

/// Between the two samples nearest to that share of the way from the least to the most.
double quantile_of_sorted(const Samples& samples, double share) {
  const double place = share * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (place - static_cast<double>(below)) * (samples[above] - samples[below]);
}

Samples outliers_of_sorted(const Samples& samples) {
  constexpr double far_out = 3;
  const double low = quantile_of_sorted(samples, 0.25);
  const double high = quantile_of_sorted(samples, 0.75);
  const double reach = far_out * (high - low);
  Samples outliers;
  for (const double sample : samples)
    if (sample < low - reach || sample > high + reach) outliers.push_back(sample);
  return outliers;
}

bool are_measurements(std::span<const double> samples) {
  return !samples.empty() && std::ranges::all_of(samples, is_measurement);
}

std::optional<double> if_finite(double number) {
  return std::isfinite(number) ? std::optional{number} : std::nullopt;
}

/// A number below `end`, all equally likely; the distributions of the standard library differ between
/// implementations.
std::size_t drawn_below(std::mt19937_64& generator, std::size_t end) {
  const std::uint64_t range = end;
  const std::uint64_t fair_end = std::mt19937_64::max() - std::mt19937_64::max() % range;
  std::uint64_t number = generator();
  while (number >= fair_end) number = generator();
  return static_cast<std::size_t>(number % range);
}

/// The median of as many samples, drawn with replacement.
double resampled_median(const Samples& samples, Samples& drawn, std::mt19937_64& generator) {
  drawn.resize(samples.size());
  for (double& sample : drawn) sample = samples[drawn_below(generator, samples.size())];
  const auto half = drawn.begin() + static_cast<std::ptrdiff_t>(drawn.size() / 2);
  std::nth_element(drawn.begin(), half, drawn.end());
  return drawn.size() % 2 == 1 ? *half : middle(*std::max_element(drawn.begin(), half), *half);
}

bool overlap(const Summary& one, const Summary& other) {
  return one.least <= other.most && other.least <= one.most;
}

}  // namespace

bool is_measurement(double number) { return std::isfinite(number) && number >= 0; }

std::optional<Summary> summarise(std::span<const double> samples) {
  if (!are_measurements(samples)) return std::nullopt;
  const Samples all = sorted(samples);
  Summary summary{.count = all.size(),
                  .median = median_of_sorted(all),
                  .least = all.front(),
                  .most = all.back(),
                  .relative_range = std::nullopt,
                  .outliers = outliers_of_sorted(all)};
  summary.relative_range = if_finite((summary.most - summary.least) / summary.median);
  return summary;
}

std::optional<double> ratio_of_medians(std::span<const double> numerator,
                                       std::span<const double> denominator) {
  if (!are_measurements(numerator) || !are_measurements(denominator)) return std::nullopt;
  return if_finite(median_of_sorted(sorted(numerator)) / median_of_sorted(sorted(denominator)));
}

std::optional<Interval> bootstrap_interval(std::span<const double> numerator,
                                           std::span<const double> denominator) {
  if (!are_measurements(numerator) || !are_measurements(denominator)) return std::nullopt;
  if (std::min(numerator.size(), denominator.size()) < fewest_samples) return std::nullopt;
  constexpr std::size_t most_draws = 20'000'000;
  constexpr std::uint64_t seed = 20'260'809;
  const std::size_t resamplings =
      std::clamp<std::size_t>(most_draws / (numerator.size() + denominator.size()), 100, 10'000);
  // The same samples are to give the same interval, wherever and whenever they are compared.
  std::mt19937_64 generator{seed};  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  const Samples above = sorted(numerator);
  const Samples below = sorted(denominator);
  Samples drawn;
  Samples ratios(resamplings);
  for (double& ratio : ratios) {
    const double top = resampled_median(above, drawn, generator);
    ratio = top / resampled_median(below, drawn, generator);
    if (!std::isfinite(ratio)) return std::nullopt;
  }
  std::ranges::sort(ratios);
  return Interval{quantile_of_sorted(ratios, 0.025), quantile_of_sorted(ratios, 0.975)};
}

std::optional<Comparison> compare_series(std::span<const double> stock, std::span<const double> unlocked,
                                         Better better) {
  const auto before = summarise(stock);
  const auto after = summarise(unlocked);
  if (!before || !after) return std::nullopt;
  const bool is_speed = better == Better::more;
  const auto& above = is_speed ? unlocked : stock;
  const auto& below = is_speed ? stock : unlocked;
  Comparison comparison{ratio_of_medians(above, below), bootstrap_interval(above, below),
                        Change::none_measurable};
  if (std::min(before->count, after->count) < fewest_samples)
    comparison.change = Change::too_few_samples;
  else if (!overlap(*before, *after))
    comparison.change = (after->median > before->median) == is_speed ? Change::faster : Change::slower;
  return comparison;
}

}  // namespace metal_unlock
