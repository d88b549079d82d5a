// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace metal_unlock {

/// Whether a number can be a speed or a time: finite, and not below zero.
bool is_measurement(double number);

/// A series of samples in five numbers. Nothing is left out: an outlier is in the range, and named.
struct Summary {
  std::size_t count = 0;
  double median = 0;
  double least = 0;
  double most = 0;
  std::optional<double> relative_range;  ///< (most - least) / median; none where that is no number
  std::vector<double> outliers;          ///< beyond the quartiles by more than three times their distance

  bool operator==(const Summary&) const = default;
};

/// Nothing where there is no sample, or one that is no measurement.
std::optional<Summary> summarise(std::span<const double> samples);

/// Fewer samples than this on a side are no base for a verdict or an interval.
inline constexpr std::size_t fewest_samples = 3;

struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

/// median(numerator) / median(denominator); none where that is no finite number, as with a median of zero.
std::optional<double> ratio_of_medians(std::span<const double> numerator,
                                       std::span<const double> denominator);

/// The middle 95 % of the ratios of medians of 10,000 resamplings (fewer for more than 2,000 samples), drawn
/// from a fixed seed: the same samples, in whatever order, give the same interval. None where a side has
/// fewer than `fewest_samples`, or where a ratio is no finite number.
std::optional<Interval> bootstrap_interval(std::span<const double> numerator,
                                           std::span<const double> denominator);

/// Whether more of a quantity is better, as with a speed, or less, as with a time.
enum class Better : std::uint8_t { more, less };

enum class Change : std::uint8_t {
  faster,
  slower,
  none_measurable,  ///< the ranges overlap or touch
  too_few_samples,  ///< a side has fewer than `fewest_samples`
};

/// Two series of the same work, before and after.
struct Comparison {
  std::optional<double> speedup;  ///< how many times as fast, by the medians
  std::optional<Interval> interval;
  Change change = Change::too_few_samples;

  bool operator==(const Comparison&) const = default;
};

/// Nothing where either series has no summary.
std::optional<Comparison> compare_series(std::span<const double> stock, std::span<const double> unlocked,
                                         Better better);

}  // namespace metal_unlock
