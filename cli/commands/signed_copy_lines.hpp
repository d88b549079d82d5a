// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/signed_copy.hpp"
#include "cli/platform/system.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// The commands that make a signed copy of a target, as a shell takes them; why there are none, where that is
/// so.
std::vector<std::string> signed_copy_lines(const System& system, const Target& target);

/// Where the entitlements of a copy are written: beside it.
std::string entitlements_file(const SignedCopy& copy);

/// One command for a shell.
std::string command_line(const std::vector<std::string>& words);

}  // namespace metal_unlock
