// SPDX-License-Identifier: MIT
#include "tests/macho_loader/libraries.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <string_view>
#include <sys/mman.h>

namespace metal_unlock::macho {
namespace {

constexpr int any_library = -2;

std::vector<Library>& libraries() {
  static const std::vector<Symbol> no_symbols;
  static const std::vector<const char*> metal{"MTLCreateSystemDefaultDevice", "MTLCopyAllDevices"};
  static std::vector<Library> all{
      {"/usr/lib/libSystem.B.dylib", nullptr, differing_in_libsystem(), same_in_libsystem()},
      {"/usr/lib/libobjc.A.dylib", "libobjc.so.4", differing_in_libobjc(), same_in_libobjc()},
      {"/System/Library/Frameworks/Metal.framework/Versions/A/Metal", "libMetal.so", no_symbols, metal},
  };
  return all;
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

/// In every part of a library; an empty install name stands for all of them.
std::uint64_t address_in_parts(const std::string& install_name, std::string_view name) {
  // What was added last comes first.
  const std::vector<Library>& parts = libraries();
  for (auto library = parts.rbegin(); library != parts.rend(); ++library) {
    if (!install_name.empty() && install_name != library->install_name) continue;
    if (const std::uint64_t address = address_in(*library, name)) return address;
  }
  return 0;
}

bool opens(const Library& library) {
  return library.file == nullptr || dlopen(library.file, RTLD_NOW | RTLD_GLOBAL) != nullptr;
}

/// Code that ends the process with the name of the symbol.
std::uint64_t trap_for(const std::string& symbol) {
  static std::uint8_t* next = nullptr;
  static std::uint8_t* end = nullptr;
#if defined(__x86_64__)
  // mov $name, %rdi; mov $give_up, %rax; jmp *%rax
  std::uint8_t code[32] = {0x48, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0,    0x48,
                           0xb8, 0,    0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
  constexpr std::size_t name_at = 2, function_at = 12;
#else
  // ldr x0, name; ldr x16, function; br x16
  std::uint8_t code[32] = {0x80, 0, 0, 0x58, 0xb0, 0, 0, 0x58, 0, 2, 0x1f, 0xd6};
  constexpr std::size_t name_at = 16, function_at = 24;
#endif
  const char* name = strdup(symbol.c_str());
  void (*const function)(const char*) = [](const char* called) { give_up(std::string("called: ") + called); };
  std::memcpy(code + name_at, &name, sizeof name);
  std::memcpy(code + function_at, &function, sizeof function);
  if (next == end) {
    constexpr std::size_t size = 65536;
    void* start = mmap(nullptr, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw LoadError{"there is no room for it"};
    next = static_cast<std::uint8_t*>(start);
    end = next + size;
  }
  std::memcpy(next, code, sizeof code);
  __builtin___clear_cache(reinterpret_cast<char*>(next), reinterpret_cast<char*>(next + sizeof code));
  next += sizeof code;
  return reinterpret_cast<std::uint64_t>(next - sizeof code);
}

}  // namespace

const char* stand_in_for(const char* path) {
  for (const Library& library : libraries()) {
    if (path != nullptr && library.file != nullptr && std::strcmp(path, library.install_name) == 0)
      return library.file;
  }
  return path;
}

void add_library(const Library& library) { libraries().push_back(library); }

void open_dependencies(const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies) {
    const bool is_there = std::ranges::any_of(libraries(), [&](const Library& library) {
      return dependency.install_name == library.install_name && opens(library);
    });
    if (!is_there && !dependency.weak) throw LoadError{"there is no library " + dependency.install_name};
  }
}

std::uint64_t address_of(const Import& import, const std::vector<Dependency>& dependencies) {
  const std::string_view name = std::string_view(import.name).substr(import.name.starts_with('_') ? 1 : 0);
  std::string where = "any library";
  std::uint64_t address = 0;
  if (import.ordinal == any_library) {
    address = address_in_parts("", name);
  } else if (import.ordinal > 0 && static_cast<std::size_t>(import.ordinal) <= dependencies.size()) {
    where = dependencies[static_cast<std::size_t>(import.ordinal) - 1].install_name;
    address = address_in_parts(where, name);
  } else {
    throw LoadError{"this loader cannot say which library has the symbol " + import.name};
  }
  if (address == 0 && !import.weak) throw LoadError{"there is no symbol " + import.name + " in " + where};
  return address;
}

std::uint64_t address_or_trap(const Import& import, const std::vector<Dependency>& dependencies) {
  Import optional = import;
  optional.weak = true;
  const std::uint64_t address = address_of(optional, dependencies);
  return address == 0 && !import.weak ? trap_for(import.name) : address;
}

}  // namespace metal_unlock::macho
