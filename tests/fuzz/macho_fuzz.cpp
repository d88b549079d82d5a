// SPDX-License-Identifier: MIT
#include "tests/macho/macho_samples.hpp"

#include <cstdio>
#include <cstdlib>

using namespace metal_unlock;

namespace {

/// Ends the run as a crash does, so that the input is kept.
void require(const std::string& broken) {
  if (broken.empty()) return;
  std::fprintf(stderr, "broken promise: %s\n", broken.c_str());
  std::abort();
}

}  // namespace

/// Any bytes are read without a crash, without undefined behaviour and always alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes{reinterpret_cast<const char*>(data), size};
  const MemorySource source{bytes};
  const auto file = read_mach_file(source);
  if (file) {
    require(broken_promise(*file, size));
    const auto again = read_mach_file(source);
    require(again && *again == *file ? "" : "a file reads twice alike");
  }
  static_cast<void>(parse_der_entitlements(bytes, 0));
  static_cast<void>(parse_xml_entitlements(bytes, 0));
  return 0;
}
