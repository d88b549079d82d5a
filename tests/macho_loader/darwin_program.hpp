// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace metal_unlock::macho {

/// Adds what the command line needs beyond the shim: more of libSystem, and IOKit.
/// `path` is what the program will find to be its own.
void add_program_libraries(const std::string& path);

/// Its part in darwin_machine.cpp: what the kernel and IOKit say about the recorded guest.
void add_machine_libraries();

/// Its part in darwin_characters.cpp.
void add_character_table();

}  // namespace metal_unlock::macho
