// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <string>

namespace metal_unlock {

/// A guest report as a table for people.
std::string report_text(const GuestReport& report);

}  // namespace metal_unlock
