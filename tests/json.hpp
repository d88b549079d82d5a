// SPDX-License-Identifier: MIT
#pragma once

// The one place through which tests read JSON.
#include <nlohmann/json.hpp>

namespace metal_unlock {
using json = nlohmann::json;
}  // namespace metal_unlock
