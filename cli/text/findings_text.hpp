// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"
#include "cli/text/style.hpp"

#include <span>
#include <string>

namespace metal_unlock {

/// Each finding as a line with its id, a line for each detail, and a `next:` line.
std::string findings_text(std::span<const Finding> findings, const Style& style);

}  // namespace metal_unlock
