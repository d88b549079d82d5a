// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"
#include "cli/text/style.hpp"

#include <string>

namespace metal_unlock {

/// "metal-unlock: Apple M1 Ultra (virtual) · profile m1-ultra · up to Apple7"
std::string summary_line(const Launch& launch, const Style& style);

/// Why a target is not unlocked.
std::string why_stock(const Launch& launch);

/// What -v adds: why, and what was set.
std::string verbose_text(const Launch& launch, const Style& style);

/// What --dry-run prints: the decision, field by field, and the exact environment change. `stock` is empty
/// where Metal was not asked.
std::string dry_run_text(const Launch& launch, const Capabilities& stock);

}  // namespace metal_unlock
