// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho_loader/slice.hpp"

#include <string>

namespace metal_unlock::macho {

/// Maps a file, opens what it needs, applies its fixups and makes its selectors known. Its constructors do
/// not run yet. A file that is loaded already is not loaded again. LoadError where that fails.
struct Image;
Image& load_image(const std::string& path);

/// The same for a program. What it needs and is not there ends the process when it is called, with its name:
/// a command uses a part of it only.
Image& load_program(const std::string& path);
/// Its main function.
using Main = int (*)(int, char**, char**, char**);
Main main_of(const Image& program);

/// Runs the constructors of an image, once.
void initialise(Image& image);

/// What constructors are given.
struct ProgramArguments {
  int count = 0;
  char** words = nullptr;
};
void set_program_arguments(ProgramArguments arguments);

/// `dlopen` of this system, for a Mach-O file with the loader in its place. Null, and the reason for
/// `dlerror`, where that fails.
void* open_any(const char* path, int flags);
bool is_image(const void* handle);

}  // namespace metal_unlock::macho
