// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

#include <optional>
#include <vector>

namespace metal_unlock {

/// The verdict that was kept, however old; nothing where there is none that can be read.
std::optional<GpuVerdict> remembered_verdict(const System& system);

/// Finds out whether the GPU computes what would be claimed: from the remembered verdict where it holds for
/// this start, else by verifying now where that is allowed. A finding where it does not, or nobody knows.
void consult_verdict(System& system, const LaunchOptions& options, const Outlook& outlook, Launch& launch,
                     std::vector<Finding>& findings);

}  // namespace metal_unlock
