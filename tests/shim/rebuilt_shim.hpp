// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace metal_unlock {

/// How the shim is built, without the names of what is compiled and linked last.
struct ShimBuild {
  std::string compile;
  std::string link;
};

/// One change of the shim's source.
struct ShimChange {
  std::string file;
  std::string line;     ///< a part of the file that occurs once
  std::string changed;  ///< what stands there instead
};

/// Builds the shim in `directory` with one file changed and everything else as it is. Throws where that
/// fails.
std::filesystem::path rebuilt_shim(const ShimBuild& build, const ShimChange& change,
                                   const std::filesystem::path& directory);

}  // namespace metal_unlock
