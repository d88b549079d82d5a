// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/diagnosis.hpp"
#include "cli/core/preflight.hpp"
#include "cli/platform/system.hpp"

#include <string>

namespace metal_unlock {

/// Section by section, and the verdict as the last line. On a terminal sentences are wrapped to its width;
/// commands never are, so that they can be copied.
std::string doctor_text(const Diagnosis& diagnosis, const Terminal& terminal);

/// "arm64, an ordinary signature (measured: …)"
std::string rule_text(const Clearance& clearance);

std::string_view to_text(Severity severity);

}  // namespace metal_unlock
