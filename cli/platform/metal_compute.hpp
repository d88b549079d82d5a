// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/kernel_call.hpp"

#include <objc/objc.h>

namespace metal_unlock {

/// Runs a call on this device (an id<MTLDevice>, nil where there is none) and waits for its end. Nothing that
/// Metal hands out is released: the process that computes ends soon.
KernelResult compute_on(id device, const KernelCall& call);

}  // namespace metal_unlock
