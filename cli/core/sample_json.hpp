// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/measurements.hpp"

namespace metal_unlock {

/// Whether a text is meant as JSON: its first letter opens an object or an array.
bool looks_like_json(std::string_view text);

/// Reads the JSON forms that `read_measurements` names; the same findings.
Result<Measurements> read_sample_json(std::string_view text, std::string_view name, Side side);

/// The finding for a sample file; `where` is "3:14", "'[1].samples_ts'" or empty.
Finding invalid_samples(std::string_view name, std::string_view where, std::string_view problem);

}  // namespace metal_unlock
