// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/written_paths.hpp"

#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// The manual page, metal-unlock(1), in mdoc; made from the declarations. `files` are for its section FILES.
std::string manual_text(std::string_view version, std::span<const WrittenPath> files);

}  // namespace metal_unlock
