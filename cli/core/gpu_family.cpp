// SPDX-License-Identifier: MIT
#include "cli/core/gpu_family.hpp"

#include <array>

namespace metal_unlock {
namespace {

constexpr std::array runs{FamilyRun{1001, 1021}, FamilyRun{2001, 2002}, FamilyRun{3001, 3006},
                          FamilyRun{4001, 4002}, FamilyRun{5001, 5006}};

}  // namespace

std::span<const FamilyRun> asked_families() { return runs; }

FamilyRange range_of(GpuFamily family) {
  if (family.number % 1000 == 0) return FamilyRange::unknown;
  switch (family.number / 1000) {
    case 1:
      return FamilyRange::apple;
    case 2:
      return FamilyRange::mac;
    case 3:
      return FamilyRange::common;
    case 4:
      return FamilyRange::mac_catalyst;
    case 5:
      return FamilyRange::metal;
    default:
      return FamilyRange::unknown;
  }
}

std::string to_text(GpuFamily family) {
  const std::string generation = std::to_string(family.number % 1000);
  switch (range_of(family)) {
    case FamilyRange::apple:
      return "Apple" + generation;
    case FamilyRange::mac:
      return "Mac" + generation;
    case FamilyRange::common:
      return "Common" + generation;
    case FamilyRange::mac_catalyst:
      return "MacCatalyst" + generation;
    case FamilyRange::metal:
      // 5001 is Metal 3, the first Metal that is a family of its own.
      return "Metal" + std::to_string(family.number % 1000 + 2);
    case FamilyRange::unknown:
      break;
  }
  return std::to_string(family.number);
}

}  // namespace metal_unlock
