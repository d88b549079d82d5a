// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/pairing.hpp"

#include <span>
#include <string>

namespace metal_unlock {

/// The rows as a chart that stands on its own: a panel for each row, in it a bar to the median of each side
/// with a whisker from the least to the most sample, every number and the verdict as text. It needs no other
/// file and follows the viewer's light or dark colours.
std::string chart_svg(std::span<const Row> rows);

}  // namespace metal_unlock
