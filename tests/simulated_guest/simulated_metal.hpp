// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// Opens the stand-in for Metal at `path` and asks each of its devices everything a guest report holds.
Result<std::vector<DeviceAnswers>> ask_simulated_metal(const std::string& path);

}  // namespace metal_unlock
