// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/kernel_call.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace metal_unlock {

/// Numbers that look random and are the same in every run: SplitMix64.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  std::uint32_t word();
  /// In [-1, 1), a multiple of 2^-23.
  float fraction();
  std::vector<float> fractions(std::size_t count);
  std::vector<std::uint32_t> words(std::size_t count);

 private:
  std::uint64_t state_;
};

/// A buffer with these values.
template <class Value>
KernelBuffer buffer_of(const std::vector<Value>& values) {
  return {.bytes = std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value))};
}

/// A buffer that a kernel is to fill. It is not zero before, so that a kernel that never ran is not taken for
/// one that computed zeros.
template <class Value>
KernelBuffer room_for(std::size_t count) {
  return {.bytes = std::string(count * sizeof(Value), '\x5a')};
}

/// What a kernel left in a buffer.
template <class Value>
std::vector<Value> values_in(const std::string& bytes) {
  std::vector<Value> values(bytes.size() / sizeof(Value));
  bytes.copy(reinterpret_cast<char*>(values.data()), values.size() * sizeof(Value));
  return values;
}

}  // namespace metal_unlock
