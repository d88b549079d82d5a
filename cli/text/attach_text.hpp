// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"
#include "cli/core/attach.hpp"

#include <string>

namespace metal_unlock {

/// What `attach` says where the process was unlocked.
std::string attached_text(const ProcessFacts& process, const Launch& launch, const AttachProof& proof);

/// What it says where there is nothing to unlock.
std::string needless_text(const ProcessFacts& process, const Launch& launch);

}  // namespace metal_unlock
