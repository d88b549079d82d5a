// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace metal_unlock {

/// The ranges of Metal's MTLGPUFamily numbers (MTLDevice.h of the macOS 27 SDK).
enum class FamilyRange : std::uint8_t { apple, mac, common, mac_catalyst, metal, unknown };

/// Any number that may be passed to `supportsFamily:`.
struct GpuFamily {
  std::uint32_t number = 0;
  auto operator<=>(const GpuFamily&) const = default;
};

/// First and last number that an Apple family can have.
inline constexpr GpuFamily first_apple_family{1001};
inline constexpr GpuFamily last_apple_family{1999};

/// A run of family numbers, both ends included.
struct FamilyRun {
  std::uint32_t first;
  std::uint32_t last;
};

/// Every number that a device is asked about: the families there are, and some that may come.
std::span<const FamilyRun> asked_families();

FamilyRange range_of(GpuFamily family);

/// "Apple7", "Mac2", "Common3", "MacCatalyst1", "Metal4"; the bare number outside every range.
std::string to_text(GpuFamily family);

}  // namespace metal_unlock
