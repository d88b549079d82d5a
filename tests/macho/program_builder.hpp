// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho/macho_builder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

inline constexpr std::uint32_t signed_by_linker = 0x20002;
inline constexpr std::uint32_t signed_ad_hoc = 0x2;
inline constexpr std::uint32_t hardened = 0x10000;
inline constexpr std::uint32_t validating = 0x2000;
inline constexpr std::uint32_t restricted = 0x800;

/// What a loader looks at in a program, and nothing else.
struct BuiltProgram {
  Architecture architecture = arm64;
  std::uint32_t flags = signed_by_linker;
  std::string_view team = {};
  std::vector<std::string_view> entitlements = {};  ///< each is granted
  std::uint8_t platform = 0;                        ///< of the CodeDirectory
  std::uint32_t system = 1;                         ///< that it was built for
  bool has_restrict_section = false;
  bool is_encrypted = false;
  bool is_signed = true;
  std::string_view library = "/usr/lib/libSystem.B.dylib";
};

std::string program_file(const BuiltProgram& program = {});

/// A fat file of several.
std::string fat_program_file(const std::vector<BuiltProgram>& programs);

}  // namespace metal_unlock
