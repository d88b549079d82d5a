// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/declarations.hpp"

#include <string>

namespace metal_unlock {

/// The page of the whole program.
std::string program_help();

/// The page of one command, from its declaration.
std::string command_help(const CommandRow& command);

}  // namespace metal_unlock
