// SPDX-License-Identifier: MIT
#include "cli/verify/inputs.hpp"

namespace metal_unlock {

std::uint32_t Numbers::word() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>(mixed >> 32);
}

float Numbers::fraction() { return static_cast<float>(word() >> 8) * 0x1p-23F - 1; }

std::vector<float> Numbers::fractions(std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = fraction();
  return values;
}

std::vector<std::uint32_t> Numbers::words(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = word();
  return values;
}

}  // namespace metal_unlock
