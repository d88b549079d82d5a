// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bench_run.hpp"

#include <optional>
#include <string>

namespace metal_unlock {

/// "run 3 of 12, unlocked-1, about 2:05 left": what a terminal shows while a run goes on.
std::string progress_text(std::size_t number, std::size_t count, const Turn& turn,
                          std::optional<double> seconds);

}  // namespace metal_unlock
