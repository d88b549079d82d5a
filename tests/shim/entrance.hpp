// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// How the shim gets into the programs that these tests start. The same tests run once for each entrance.
struct Entrance {
  std::filesystem::path shim;        ///< the library under test
  std::string preload_variable;      ///< names it
  std::string separators;            ///< between the entries of that variable
  std::filesystem::path programs;    ///< where the programs and their Metal were built
  std::vector<std::string> starter;  ///< words in front of each program
  EnvironmentChanges environment;    ///< what every program finds besides
  std::filesystem::path command_line =
      {};         ///< metal-unlock for macOS on the same processor, where there is one
  int share = 1;  ///< one of so many repetitions is enough, where a program is slow
};

/// The one that METAL_UNLOCK_ENTRANCE names: `elf`, which is the usual one, `macho-x86_64` or `macho-arm64`.
/// METAL_UNLOCK_SHIM_UNDER_TEST puts another library in the shim's place.
const Entrance& entrance();

/// Two libraries in `directory` that can be preloaded and do nothing; the names are those given.
std::vector<std::string> harmless_libraries(const std::filesystem::path& directory,
                                            const std::vector<std::string>& names);

}  // namespace metal_unlock
