// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

#include <optional>
#include <string>

namespace metal_unlock {

/// Begins the report with what was decided; the shim adds what it does. A finding where it cannot be written.
std::optional<Finding> begin_report(System& system, const std::string& path, const Launch& launch);

}  // namespace metal_unlock
