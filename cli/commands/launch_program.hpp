// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// Finds out whether anything is known of the target's program, and what is known to go wrong with it in such
/// a guest.
void recognise_program(const System& system, const std::vector<std::string>& command, Launch& launch,
                       std::vector<Finding>& findings);

/// Sets what the user's own profile of the target says, unless it is set already. Built-in profiles only
/// advise, so without such a profile none is read.
void set_program_variables(const System& system, Launch& launch);

}  // namespace metal_unlock
