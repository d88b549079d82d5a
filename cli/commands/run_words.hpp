// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/platform/system.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// "run" and those options that it was asked for, for a command line that is used later and from any folder:
/// paths are absolute.
std::vector<std::string> run_words(const System& system, const LaunchOptions& options);

/// A path as it is found from any folder.
std::string absolute_path(const System& system, const std::string& path);

}  // namespace metal_unlock
