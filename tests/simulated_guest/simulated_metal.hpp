// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "cli/verify/kernel_call.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// Opens the stand-in for Metal at `path` and asks each of its devices everything a guest report holds.
Result<std::vector<DeviceAnswers>> ask_simulated_metal(const std::string& path);

/// Opens the client of the stand-in at `path` and has it run a kernel.
KernelResult compute_on_simulated_metal(const std::string& path, const KernelCall& call);

}  // namespace metal_unlock
