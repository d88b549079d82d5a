// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/check.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What an element should be, and how far from that a correct GPU may be.
struct Expected {
  double value = 0;
  double tolerance = 0;  ///< absolute
};

/// Collects how far results are from what they should be. An error is counted in tolerances, so that parts of
/// a check with different tolerances can be held against each other: more than 1 is wrong.
class Judge {
 public:
  /// `name` says which of the results this is: "sum", "row 3, column".
  void compare(std::string_view name, const std::vector<float>& results,
               const std::vector<Expected>& expected);
  /// Whole numbers are right or wrong.
  void compare_exactly(std::string_view name, const std::vector<std::uint32_t>& results,
                       const std::vector<std::uint32_t>& expected);

  Judgement judgement() const { return judgement_; }

 private:
  void count(double error, double tolerance, std::string_view name, std::size_t element, double seen,
             double value);

  Judgement judgement_;
};

/// Of a call that Metal refused.
Judgement judgement_of(const KernelRefusal& refusal);

}  // namespace metal_unlock
