// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

#include <string>

namespace metal_unlock {

/// The developer tool that a placeholder in /usr/bin stands for; empty for every other file.
std::string developer_tool(const std::string& file, const Environment& environment, const FileLookup& files);

/// The program of an application's folder, "X.app"; empty where there is none.
std::string bundle_program(std::string folder, const FileLookup& files);

}  // namespace metal_unlock
