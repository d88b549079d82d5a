// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/measurements.hpp"

namespace metal_unlock {

/// Reads the timing lines of llama-server and llama-cli ("prompt eval time = … tokens per second)") and of
/// `ollama run --verbose` ("eval rate: … tokens/s") from a log. Nothing where the log has none; a line that
/// begins as one and does not end as one is a samples-invalid finding with its number.
Result<std::vector<Series>> read_timing_lines(std::string_view text, std::string_view name);

}  // namespace metal_unlock
