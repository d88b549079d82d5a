// SPDX-License-Identifier: MIT
#include "cli/core/statistics.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace metal_unlock;

namespace {

using Samples = std::vector<double>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Between 1 and 12 samples from 10 to 20 in quarters: short binary fractions, so that arithmetic is exact.
Samples random_samples(std::mt19937& generator) {
  Samples samples(1 + generator() % 12);
  for (double& sample : samples) sample = 10 + static_cast<double>(generator() % 41) / 4;
  return samples;
}

Samples scaled(Samples samples, double factor) {
  for (double& sample : samples) sample *= factor;
  return samples;
}

}  // namespace

TEST_CASE("a summary by hand") {
  const auto odd = summarise(Samples{3, 1, 2});
  REQUIRE(odd);
  CHECK(*odd == Summary{3, 2, 1, 3, 1.0, {}});

  const auto even = summarise(Samples{4, 1, 3, 2});
  REQUIRE(even);
  CHECK(*even == Summary{4, 2.5, 1, 4, 1.2, {}});

  const auto single = summarise(Samples{7});
  REQUIRE(single);
  CHECK(*single == Summary{1, 7, 7, 7, 0.0, {}});

  const auto ties = summarise(Samples{5, 5, 5, 5});
  REQUIRE(ties);
  CHECK(*ties == Summary{4, 5, 5, 5, 0.0, {}});
}

TEST_CASE("an outlier is named and stays in the range") {
  // Quartiles 11 and 13: far out is what lies below 5 or above 19.
  const auto with = summarise(Samples{10, 11, 12, 13, 20});
  REQUIRE(with);
  CHECK(with->outliers == Samples{20});
  CHECK(with->most == 20);
  CHECK(with->median == 12);

  const auto without = summarise(Samples{10, 11, 12, 13, 19});
  REQUIRE(without);
  CHECK(without->outliers.empty());
}

TEST_CASE("only finite numbers from zero on are measurements") {
  for (const double number : {not_a_number, infinite, -infinite, -1.0, -1e-300}) {
    CAPTURE(number);
    CHECK_FALSE(is_measurement(number));
    CHECK_FALSE(summarise(Samples{1, number, 2}));
    CHECK_FALSE(ratio_of_medians(Samples{1, number}, Samples{1}));
    CHECK_FALSE(ratio_of_medians(Samples{1}, Samples{1, number}));
    CHECK_FALSE(bootstrap_interval(Samples{1, 2, number}, Samples{1, 2, 3}));
    CHECK_FALSE(compare_series(Samples{1, 2, 3}, Samples{1, 2, number}, Better::more));
  }
  CHECK_FALSE(summarise(Samples{}));
  for (const double number : {0.0, 1e-300, 1.0, 1e308}) {
    CHECK(is_measurement(number));
    CHECK(summarise(Samples{1, number, 2}));
  }
}

TEST_CASE("the largest and the smallest doubles neither overflow nor vanish") {
  const auto large = summarise(Samples{1e308, 1.5e308, 1.7e308, 1.2e308});
  REQUIRE(large);
  CHECK(large->median == 1.2e308 / 2 + 1.5e308 / 2);
  CHECK(std::isfinite(*large->relative_range));
  CHECK(large->outliers.empty());
  CHECK(ratio_of_medians(Samples{1e308, 1e308}, Samples{1e308, 1e308}) == 1.0);
  CHECK(bootstrap_interval(Samples{1e308, 1e308, 1e308}, Samples{1e308, 1e308, 1e308}) == Interval{1, 1});

  const auto small = summarise(Samples{5e-324, 5e-324});
  REQUIRE(small);
  CHECK(small->median == 5e-324);

  // No finite number: not stated, rather than "inf".
  CHECK_FALSE(ratio_of_medians(Samples{1e308}, Samples{1e-308}));
  CHECK_FALSE(summarise(Samples{1e-308, 1e-308, 1e308})->relative_range);
}

TEST_CASE("a median of zero has no ratio and no relative range") {
  CHECK_FALSE(ratio_of_medians(Samples{1, 2, 3}, Samples{0, 0, 0}));
  CHECK_FALSE(bootstrap_interval(Samples{1, 2, 3}, Samples{0, 0, 0}));
  CHECK_FALSE(summarise(Samples{0, 0, 0})->relative_range);
  CHECK(ratio_of_medians(Samples{0, 0, 0}, Samples{1, 2, 3}) == 0.0);

  const auto comparison = compare_series(Samples{0, 0, 0}, Samples{1, 2, 3}, Better::more);
  REQUIRE(comparison);
  CHECK_FALSE(comparison->speedup);
  CHECK(comparison->change == Change::faster);
}

TEST_CASE("ratios by hand") {
  CHECK(ratio_of_medians(Samples{2, 4, 6}, Samples{1, 2, 3}) == 2.0);
  CHECK(ratio_of_medians(Samples{1}, Samples{4}) == 0.25);
  CHECK_FALSE(ratio_of_medians(Samples{}, Samples{1}));
  CHECK_FALSE(ratio_of_medians(Samples{1}, Samples{}));
}

TEST_CASE("the interval of constant series is their ratio") {
  CHECK(bootstrap_interval(Samples{8, 8, 8}, Samples{2, 2, 2}) == Interval{4, 4});
}

TEST_CASE("two samples give neither an interval nor a verdict, three give both") {
  CHECK_FALSE(bootstrap_interval(Samples{8, 8}, Samples{2, 2, 2}));
  CHECK_FALSE(bootstrap_interval(Samples{8, 8, 8}, Samples{2, 2}));
  CHECK(compare_series(Samples{2, 2}, Samples{8, 8, 8}, Better::more)->change == Change::too_few_samples);
  CHECK(compare_series(Samples{2, 2, 2}, Samples{8, 8}, Better::more)->change == Change::too_few_samples);
  CHECK(compare_series(Samples{2, 2}, Samples{8, 8}, Better::more)->speedup == 4.0);
  CHECK(compare_series(Samples{2, 2, 2}, Samples{8, 8, 8}, Better::more)->change == Change::faster);
}

TEST_CASE("ranges that overlap or touch are no measurable change") {
  const auto change = [](const Samples& stock, const Samples& unlocked, Better better) {
    return compare_series(stock, unlocked, better)->change;
  };
  CHECK(change({1, 2, 3}, {2, 4, 6}, Better::more) == Change::none_measurable);
  CHECK(change({1, 2, 3}, {3, 4, 6}, Better::more) == Change::none_measurable);
  CHECK(change({1, 9, 3}, {4, 4, 6}, Better::more) == Change::none_measurable);
  CHECK(change({1, 2, 3}, {3.0001, 4, 6}, Better::more) == Change::faster);
  CHECK(change({3.0001, 4, 6}, {1, 2, 3}, Better::more) == Change::slower);
  CHECK(change({1, 2, 3}, {3.0001, 4, 6}, Better::less) == Change::slower);
  CHECK(change({3.0001, 4, 6}, {1, 2, 3}, Better::less) == Change::faster);
}

TEST_CASE("less time is as many times as fast") {
  const auto comparison = compare_series(Samples{10, 10, 10}, Samples{2, 2, 2}, Better::less);
  CHECK(comparison->speedup == 5.0);
  CHECK(comparison->interval == Interval{5, 5});
}

TEST_CASE("for whatever samples") {
  std::mt19937 generator{1};
  for (int round = 0; round < 30; ++round) {
    const Samples stock = random_samples(generator);
    const Samples unlocked = random_samples(generator);
    CAPTURE(stock, unlocked);
    const auto summary = summarise(stock);
    const auto interval = bootstrap_interval(unlocked, stock);
    const auto ratio = ratio_of_medians(unlocked, stock);
    REQUIRE(ratio);

    // The order of the samples decides nothing.
    Samples shuffled = stock;
    std::ranges::shuffle(shuffled, generator);
    CHECK(summarise(shuffled) == summary);
    CHECK(bootstrap_interval(unlocked, shuffled) == interval);

    // Nor does the unit; a power of two is exact.
    CHECK(summarise(scaled(stock, 8))->median == 8 * summary->median);
    CHECK(summarise(scaled(stock, 8))->relative_range == summary->relative_range);
    CHECK(ratio_of_medians(scaled(unlocked, 8), scaled(stock, 8)) == ratio);
    CHECK(bootstrap_interval(scaled(unlocked, 8), scaled(stock, 8)) == interval);

    CHECK(summary->least <= summary->median);
    CHECK(summary->median <= summary->most);
    CHECK(interval.has_value() == (std::min(stock.size(), unlocked.size()) >= fewest_samples));
    if (interval) {
      CHECK(interval->low <= interval->high);
      CHECK(interval->low >= *std::ranges::min_element(unlocked) / *std::ranges::max_element(stock));
      CHECK(interval->high <= *std::ranges::max_element(unlocked) / *std::ranges::min_element(stock));
    }
    // Nothing is faster than itself.
    if (stock.size() >= fewest_samples)
      CHECK(compare_series(stock, stock, Better::more)->change == Change::none_measurable);
  }
}

TEST_CASE("the interval narrows with more samples of the same spread") {
  Samples few{9, 10, 11};
  Samples many;
  for (int i = 0; i < 30; ++i) many.insert(many.end(), few.begin(), few.end());
  const auto wide = bootstrap_interval(few, few);
  const auto narrow = bootstrap_interval(many, many);
  CHECK(wide->high - wide->low > narrow->high - narrow->low);
}

TEST_CASE("the interval holds 95 of 100 resampled ratios, of medians as they are defined") {
  Samples spread;
  for (int i = 10; i < 20; ++i) spread.push_back(i);
  // 50 of 100 would lie between 0.91 and 1.10.
  const auto interval = bootstrap_interval(spread, spread);
  CHECK(interval->low < 0.85);
  CHECK(interval->high > 1.17);
  // Half of 6 samples drawn are 3 in 5 of 100 cases, more than half in 1: the median is 2, and hardly ever 3.
  const auto even = bootstrap_interval(Samples{1, 1, 1, 1, 1, 3}, Samples(6, 1.0));
  CHECK(even->low == 1);
  CHECK(even->high == 2);
}
