// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/program.hpp"
#include "cli/core/result.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// The guests in which a program goes wrong, where the machine is one of them. `argv` may hold the remedy
/// already.
std::vector<Finding> bad_guest_findings(const Program& program, const Machine& machine,
                                        const std::vector<std::string>& argv);

/// What else is known of a program: that it gains nothing, and what more than stock can break. Notes, all of
/// them.
std::vector<Finding> program_notes(const Program& program, bool unlocks_children);

}  // namespace metal_unlock
