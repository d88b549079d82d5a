// SPDX-License-Identifier: MIT
#include "cli/verify/judging.hpp"

#include "cli/core/text_format.hpp"

#include <cmath>
#include <limits>

namespace metal_unlock {
namespace {

/// How much of its tolerance an error uses up.
double share(double error, double tolerance) {
  if (error == 0) return 0;
  return tolerance == 0 ? std::numeric_limits<double>::infinity() : error / tolerance;
}

}  // namespace

void Judge::count(double error, double tolerance, std::string_view name, std::size_t element, double seen,
                  double value) {
  // A result that is no number is as far away as can be.
  if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
  const double used = share(error, tolerance);
  const double used_before = share(judgement_.largest_error, judgement_.tolerance);
  const bool is_first = judgement_.largest_error == 0;
  if (!(is_first ? error > 0 : used > used_before)) return;
  judgement_.largest_error = error;
  judgement_.tolerance = tolerance;
  if (used <= 1) return;
  judgement_.outcome = Outcome::wrong;
  judgement_.where = formatted("{}, element {}: {:.10g} instead of {:.10g}", name, element, seen, value);
}

void Judge::compare(std::string_view name, const std::vector<float>& results,
                    const std::vector<Expected>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double seen = i < results.size() ? results[i] : std::numeric_limits<double>::quiet_NaN();
    count(std::abs(seen - expected[i].value), expected[i].tolerance, name, i, seen, expected[i].value);
  }
}

void Judge::compare_exactly(std::string_view name, const std::vector<std::uint32_t>& results,
                            const std::vector<std::uint32_t>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double seen = i < results.size() ? results[i] : std::numeric_limits<double>::quiet_NaN();
    count(std::abs(seen - expected[i]), 0, name, i, seen, expected[i]);
  }
}

Judgement judgement_of(const KernelRefusal& refusal) {
  Judgement judgement{.outcome = Outcome::refused, .where = refusal.words};
  if (refusal.stage == KernelStage::device) judgement.outcome = Outcome::no_device;
  if (refusal.stage == KernelStage::absent) judgement.outcome = Outcome::absent;
  return judgement;
}

}  // namespace metal_unlock
