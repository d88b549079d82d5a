// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "cli/core/result.hpp"
#include "cli/verify/kernel_call.hpp"

#include <vector>

namespace metal_unlock {

/// Where Metal is: its install name, by which the loader finds it in the shared cache.
inline constexpr char macos_metal_path[] = "/System/Library/Frameworks/Metal.framework/Versions/A/Metal";

/// Starts Metal in this process and asks each of its devices everything a guest report holds.
Result<std::vector<DeviceAnswers>> ask_macos_metal();

/// Starts Metal in this process and runs a kernel on its default device.
KernelResult compute_on_macos(const KernelCall& call);

}  // namespace metal_unlock
