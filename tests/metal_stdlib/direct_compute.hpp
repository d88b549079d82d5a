// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/kernel_call.hpp"
#include "tests/metal_stdlib/executor.hpp"

namespace metal_unlock {

/// Runs a call with this kernel, whatever its source is, and without any Metal.
KernelResult compute_with(const gpu::Kernel& kernel, const KernelCall& call);

/// Runs a call with the kernel that was compiled from its source.
KernelResult compute_directly(const KernelCall& call);

}  // namespace metal_unlock
