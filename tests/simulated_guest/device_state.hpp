// SPDX-License-Identifier: MIT
#pragma once

#include "tests/simulated_guest/gpu.hpp"

namespace metal_unlock {

/// Names the file whose existence says that the simulated GPU is wedged: it outlives the process, as a wedged
/// GPU does. To remove it is to restart the guest. Unset: the state ends with the process.
inline constexpr char gpu_state_variable[] = "METAL_UNLOCK_SIMULATED_GPU_STATE";

/// What is wrong with the simulated GPU.
const Faults& device_faults();
void set_device_faults(Faults faults);

bool is_wedged();
void wedge();

/// The simulated GPU, opened when first used; null functions where it cannot be.
struct Gpu {
  FindKernel* find_kernel = nullptr;
  RunKernel* run_kernel = nullptr;
};
const Gpu& simulated_gpu();

}  // namespace metal_unlock
