// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

namespace metal_unlock::shim {

/// The variable by which the system's loader is told to load us, and what separates its entries.
#if defined(__APPLE__)
inline constexpr char preload_variable[] = "DYLD_INSERT_LIBRARIES";
inline constexpr char preload_separators[] = ":";
#else
inline constexpr char preload_variable[] = "LD_PRELOAD";
inline constexpr char preload_separators[] = ": ";
#endif

/// Takes every entry of ours out of `list`, each with one separator next to it; what is left is not touched.
/// Ours is an entry whose file name is libmetal-unlock.so or libmetal-unlock.dylib. True where one was found.
bool remove_own_entries(char* list, const char* separators = preload_separators) noexcept;

/// Another project's library with the same purpose.
struct ForeignShim {
  const char* name;      ///< for people and for the report
  const char* library;   ///< part of its file name
  const char* variable;  ///< the variable without which it does nothing
};

inline constexpr ForeignShim foreign_shims[] = {
    {"Cua", "LumeMetalCapabilities", "LUME_METAL_APPLE_FAMILY_MAX"},
    {"Tart", "TartMetalCapabilities", "TART_METAL_APPLE_FAMILY_MAX"},
    {"Anka", "AnkaGpuFamilyBoost", "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX"},
};

/// Whether a file name in `list` (null: no list) contains the name of the shim's library.
bool lists_foreign_shim(const char* list, const ForeignShim& shim,
                        const char* separators = preload_separators) noexcept;

/// Whether `value` of the shim's variable (null: unset) switches it on: neither empty nor 0.
bool switches_on(const char* value) noexcept;

}  // namespace metal_unlock::shim
