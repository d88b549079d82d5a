// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// Words after the program's name in, exit status out. Does not return where a target was started.
int run_cli(System& system, const std::vector<std::string>& words);

}  // namespace metal_unlock
