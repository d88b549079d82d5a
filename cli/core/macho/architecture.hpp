// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace metal_unlock {

/// Of a subtype: what a slice asks for beyond its kind of processor.
inline constexpr std::uint32_t feature_bits = 0xff000000;

/// The processors that programs for macOS were built for. Another number is carried as it is.
enum class CpuType : std::uint32_t {
  i386 = 7,
  powerpc = 18,
  x86_64 = 0x01000007,
  arm64 = 0x0100000c,
  arm64_32 = 0x0200000c,
};

/// The slices that dyld on a Mac chooses between.
enum class SliceKind : std::uint8_t { arm64, arm64e, x86_64, x86_64h, other };

/// The ABI of pointer authentication that an arm64e slice was built for.
struct PointerAuthentication {
  std::uint8_t version = 0;
  bool is_kernel = false;
  bool operator==(const PointerAuthentication&) const = default;
};

/// What a slice was built for, as its header says it.
struct Architecture {
  CpuType cpu{};
  std::uint32_t subtype = 0;  ///< with the feature bits on top

  SliceKind kind() const;
  /// None for what is no arm64e, and for an arm64e slice that names no ABI.
  std::optional<PointerAuthentication> pointer_authentication() const;
  bool operator==(const Architecture&) const = default;
};

/// "arm64", "arm64e", "arm64e.v1", "x86_64", "x86_64h", "i386"; "cpu 0x12/0x0" for what has no name here.
std::string to_text(Architecture architecture);

}  // namespace metal_unlock
