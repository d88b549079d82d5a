// SPDX-License-Identifier: MIT

// macho-run PROGRAM WORD…: runs a program for macOS, as far as the loader can.

#include "tests/macho_loader/darwin_program.hpp"
#include "tests/macho_loader/image.hpp"

#include <cstdio>
#include <cstdlib>

extern char** environ;

int main(int argc, char** argv) {
  using namespace metal_unlock::macho;
  if (argc < 2) return 2;
  add_program_libraries(argv[1]);
  set_program_arguments({argc - 1, argv + 1});
  try {
    Image& program = load_program(argv[1]);
    initialise(program);
    char executable[] = "executable_path=";
    char* apple[] = {executable, nullptr};
    std::exit(main_of(program)(argc - 1, argv + 1, environ, apple));
  } catch (const LoadError& error) {
    std::fprintf(stderr, "macho-run: '%s' cannot be run: %s\n", argv[1], error.reason.c_str());
    return 126;
  }
}
