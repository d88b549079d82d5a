// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

namespace metal_unlock {

/// What the kernel and the I/O registry say of this Mac. Starts nothing, Metal least of all.
Machine macos_machine();

}  // namespace metal_unlock
