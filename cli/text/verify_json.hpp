// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

#include <string>

namespace metal_unlock {

/// What `verify --json` prints; docs/verify.schema.json describes it.
std::string verify_json(const GpuVerdict& verdict, const Launch& launch);

}  // namespace metal_unlock
