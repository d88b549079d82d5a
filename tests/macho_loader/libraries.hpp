// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho_loader/fixups.hpp"

#include <cstdint>
#include <vector>

namespace metal_unlock::macho {

/// One symbol of a library of macOS.
struct Symbol {
  const char* name;  ///< as C spells it, without the underscore in front
  void* address;     ///< null: the same function of this system
};

/// A library of macOS, and what there is of it here. A symbol that is not listed does not exist.
struct Library {
  const char* install_name;
  const char* file;                      ///< what is opened for it; null: nothing, it is always there
  const std::vector<Symbol>& differing;  ///< what the loader has its own function for
  const std::vector<const char*>& same;  ///< what is the same on both systems
};

// The one place where macOS and Linux are compared: darwin_calls.cpp for libSystem, objective_c.cpp for
// libobjc.
const std::vector<Symbol>& differing_in_libsystem();
const std::vector<const char*>& same_in_libsystem();
const std::vector<Symbol>& differing_in_libobjc();
const std::vector<const char*>& same_in_libobjc();

/// Opens what stands for each dependency, in order. LoadError where nothing does, unless it is weak.
void open_dependencies(const std::vector<Dependency>& dependencies);

/// The address of an import, in the library that it is expected in. LoadError, with its name, where that has
/// none.
std::uint64_t address_of(const Import& import, const std::vector<Dependency>& dependencies);

/// The same, with a function in its place that ends the process, naming the symbol, when it is called.
std::uint64_t address_or_trap(const Import& import, const std::vector<Dependency>& dependencies);

/// What is opened for the library of macOS at this path; the path itself where it is none.
const char* stand_in_for(const char* path);

/// Adds to what there is: another part of a library, or another library.
void add_library(const Library& library);

/// What `sel_registerName` of the runtime gives for a name. The runtime must be there.
const void* selector_named(const char* name);

}  // namespace metal_unlock::macho
