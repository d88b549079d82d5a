// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace metal_unlock {

/// A TOML file of this folder, compiled into the program.
struct BuiltInProfile {
  std::string_view name;  ///< the file's stem
  std::string_view path;  ///< in the source tree: "profiles/chips/m1.toml"
  std::string_view text;
};

/// Every family and chip, sorted by path.
std::span<const BuiltInProfile> built_in_profiles();

/// Every program, sorted by path.
std::span<const BuiltInProfile> built_in_programs();

}  // namespace metal_unlock
