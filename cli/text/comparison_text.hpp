// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/pairing.hpp"
#include "cli/text/style.hpp"

#include <span>
#include <string>

namespace metal_unlock {

/// "4786.70", "1.234": without its unit, and never longer than a column.
std::string number_text(double number, Unit unit);
/// "11.08" or, where the third decimal is what matters, "1.005".
std::string ratio_text(double ratio);
/// "98.25 %"
std::string share_text(double share);
std::string_view to_text(Change change);

/// What the comparison of a row comes to, in one line: "11.08× (95 %: 11.05 to 11.13), 98.25 % of the host:
/// faster". Empty where there is nothing to compare.
std::string verdict_text(const Row& row, const Style& style);

/// A table for people: for every row the medians, ranges and bars of its sides, and the verdict.
std::string comparison_text(std::span<const Row> rows, const Style& style, int width);

/// For spreadsheets: a line for each row, all numbers in full.
std::string comparison_csv(std::span<const Row> rows);

/// For issues and pull requests.
std::string comparison_markdown(std::span<const Row> rows);

}  // namespace metal_unlock
