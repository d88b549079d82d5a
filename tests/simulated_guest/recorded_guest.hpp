// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "tests/simulated_guest/recorded_faults.hpp"

namespace metal_unlock {

/// Names the file that holds the guest to simulate. Unset or empty: the guest that is compiled in.
inline constexpr char recorded_guest_variable[] = "METAL_UNLOCK_GUEST";

/// Names a file whose lines "restricted PATH" and "quarantined PATH" say what macOS would know of files; a
/// path that ends in '/' stands for all below it. Unset or empty: nothing is restricted or in quarantine.
inline constexpr char recorded_marks_variable[] = "METAL_UNLOCK_GUEST_FILES";

/// The guest that this process simulates. A file that cannot be read or is no report is a finding that names
/// it.
Result<GuestReport> load_recorded_guest();

/// What is wrong with its GPU, under "faults", which is for the stand-in alone: the parser of guests ignores
/// keys that it does not know.
Result<Faults> load_recorded_faults();

}  // namespace metal_unlock
