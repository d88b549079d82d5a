// SPDX-License-Identifier: MIT
// What libFuzzer calls, compiled once for each parser.
#include "tests/fuzz/targets.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  metal_unlock::METAL_UNLOCK_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
