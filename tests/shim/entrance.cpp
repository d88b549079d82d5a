// SPDX-License-Identifier: MIT
#include "tests/shim/entrance.hpp"

#include "tests/files.hpp"
#include "tests/macho_loader/macho_edit.hpp"

#include <cstdlib>
#include <stdexcept>

namespace metal_unlock {
namespace {

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

std::filesystem::path under_test(const std::filesystem::path& otherwise) {
  return variable_or("METAL_UNLOCK_SHIM_UNDER_TEST", otherwise);
}

Entrance elf() {
  return {.shim = under_test(build_directory() / "libmetal-unlock.so"),
          .preload_variable = "LD_PRELOAD",
          .separators = ": ",
          .programs = build_directory(),
          .starter = {},
          .environment = {}};
}

/// The system's loader replaces $LIB, so that programs for both processors find a loader of theirs: on arm64
/// the shells between the programs are the machine's own.
Entrance macho() {
  const std::string loader = build_directory() / "macho-loader" / "$LIB" / "libmacho-loader.so";
  return {.shim = under_test(build_directory() / "macos" / "libmetal-unlock.dylib"),
          .preload_variable = "DYLD_INSERT_LIBRARIES",
          .separators = ":",
          .programs = build_directory(),
          .starter = {},
          .environment = {{"LD_PRELOAD", loader}},
          .command_line = build_directory() / "macos-x86_64" / "metal-unlock"};
}

Entrance macho_under_qemu() {
  Entrance result = macho();
  result.programs = build_directory() / "arm64";
  result.command_line = build_directory() / "macos" / "metal-unlock";
  result.starter = {"qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"};
  result.share = 10;
  return result;
}

Entrance chosen() {
  const std::string name = variable_or("METAL_UNLOCK_ENTRANCE", "elf");
  if (name == "elf") return elf();
  if (name == "macho-x86_64") return macho();
  if (name == "macho-arm64") return macho_under_qemu();
  throw std::runtime_error("METAL_UNLOCK_ENTRANCE: " + name);
}

}  // namespace

const Entrance& entrance() {
  static const Entrance result = chosen();
  return result;
}

std::vector<std::string> harmless_libraries(const std::filesystem::path& directory,
                                            const std::vector<std::string>& names) {
  const bool is_macho = entrance().shim.extension() == ".dylib";
  const std::filesystem::path source =
      is_macho ? entrance().shim : entrance().programs / "variants" / "libvariant_bundle.so";
  std::string bytes = read_file(source);
  if (is_macho) bytes = without_constructors(bytes);
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    paths.push_back(directory / name);
    write_file(paths.back(), bytes);
  }
  return paths;
}

}  // namespace metal_unlock
