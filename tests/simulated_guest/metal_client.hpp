// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/kernel_call.hpp"

namespace metal_unlock {

inline constexpr char metal_client_library[] = "libMetalClient.so";
inline constexpr char metal_client_function[] = "metal_client_compute";
using ComputeOnDefaultDevice = void(const KernelCall& call, KernelResult& result);

}  // namespace metal_unlock
