// SPDX-License-Identifier: MIT
#include "cli/core/bytes.hpp"

namespace metal_unlock {
namespace {

constexpr std::uint64_t kib = std::uint64_t{1} << 10;
constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// Rounded to one tenth. Whole part and rest are scaled apart, so that no size overflows.
std::string tenths_of_mib(std::uint64_t count) {
  const std::uint64_t tenths = (count / mib) * 10 + ((count % mib) * 10 + mib / 2) / mib;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

bool is_whole(std::uint64_t count, std::uint64_t unit) { return count >= unit && count % unit == 0; }

}  // namespace

std::string to_text(Bytes size) {
  const std::uint64_t count = size.count;
  if (is_whole(count, gib)) return std::to_string(count / gib) + " GiB";
  if (is_whole(count, mib)) return std::to_string(count / mib) + " MiB";
  if (count > mib) return tenths_of_mib(count);
  if (is_whole(count, kib)) return std::to_string(count / kib) + " KiB";
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace metal_unlock
