// SPDX-License-Identifier: MIT
#include "tests/macho_loader/libraries.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>

namespace metal_unlock::macho {
namespace {

constexpr int any_library = -2;

const std::vector<Library>& libraries() {
  static const std::vector<Symbol> no_symbols;
  static const std::vector<const char*> metal{"MTLCreateSystemDefaultDevice", "MTLCopyAllDevices"};
  static const std::vector<Library> all{
      {"/usr/lib/libSystem.B.dylib", nullptr, differing_in_libsystem(), same_in_libsystem()},
      {"/usr/lib/libobjc.A.dylib", "libobjc.so.4", differing_in_libobjc(), same_in_libobjc()},
      {"/System/Library/Frameworks/Metal.framework/Versions/A/Metal", "libMetal.so", no_symbols, metal},
  };
  return all;
}

const Library* library_named(const std::string& install_name) {
  for (const Library& library : libraries()) {
    if (install_name == library.install_name) return &library;
  }
  return nullptr;
}

std::uint64_t address_in(const Library& library, std::string_view name) {
  for (const Symbol& symbol : library.differing) {
    if (name == symbol.name) return reinterpret_cast<std::uint64_t>(symbol.address);
  }
  for (const char* same : library.same) {
    if (name == same) return reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, same));
  }
  return 0;
}

std::uint64_t address_in_any(std::string_view name) {
  for (const Library& library : libraries()) {
    if (const std::uint64_t address = address_in(library, name)) return address;
  }
  return 0;
}

}  // namespace

void open_dependencies(const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies) {
    const Library* library = library_named(dependency.install_name);
    const bool is_there = library != nullptr && (library->file == nullptr ||
                                                 dlopen(library->file, RTLD_NOW | RTLD_GLOBAL) != nullptr);
    if (!is_there && !dependency.weak) throw LoadError{"there is no library " + dependency.install_name};
  }
}

std::uint64_t address_of(const Import& import, const std::vector<Dependency>& dependencies) {
  const std::string_view name = std::string_view(import.name).substr(import.name.starts_with('_') ? 1 : 0);
  std::string where = "any library";
  std::uint64_t address = 0;
  if (import.ordinal == any_library) {
    address = address_in_any(name);
  } else if (import.ordinal > 0 && static_cast<std::size_t>(import.ordinal) <= dependencies.size()) {
    where = dependencies[static_cast<std::size_t>(import.ordinal) - 1].install_name;
    const Library* library = library_named(where);
    if (library != nullptr) address = address_in(*library, name);
  } else {
    throw LoadError{"this loader cannot say which library has the symbol " + import.name};
  }
  if (address == 0 && !import.weak) throw LoadError{"there is no symbol " + import.name + " in " + where};
  return address;
}

}  // namespace metal_unlock::macho
