// SPDX-License-Identifier: MIT
#include "cli/platform/embedded_shim.hpp"

#include <cstddef>

extern "C" {
extern const char metal_unlock_shim_begin[];   // NOLINT(modernize-avoid-c-arrays)
extern const char metal_unlock_shim_end[];     // NOLINT(modernize-avoid-c-arrays)
extern const char metal_unlock_shim_digest[];  // NOLINT(modernize-avoid-c-arrays)
}

namespace metal_unlock {

std::string_view embedded_shim() {
  // One object of the assembler, whose ends have names of their own.
  // cppcheck-suppress comparePointers
  return {metal_unlock_shim_begin, static_cast<std::size_t>(metal_unlock_shim_end - metal_unlock_shim_begin)};
}

std::string_view embedded_shim_digest() { return metal_unlock_shim_digest; }

}  // namespace metal_unlock
