// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string>

namespace metal_unlock {

/// Prints every file that may ever be written here, and returns the exit status.
int print_written_paths(System& system, bool as_json);

/// The path by which this program is found again after an update: the one on PATH where that is this program,
/// since a package manager keeps that one and not the file behind it; else that of its file.
std::string lasting_own_path(const System& system);

/// Whether a shell finds this program by its name.
bool is_on_path(const System& system);

}  // namespace metal_unlock
