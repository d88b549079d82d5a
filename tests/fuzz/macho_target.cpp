// SPDX-License-Identifier: MIT
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/macho/macho_samples.hpp"

namespace metal_unlock {

void fuzz_macho(std::string_view bytes) {
  const MemorySource source{std::string{bytes}};
  const auto file = read_mach_file(source);
  if (!file) return promise_inside(file.fault(), 0, bytes.size());
  const std::string broken = broken_promise(*file, bytes.size());
  promise(broken.empty(), broken);
  for (const Slice& slice : file->slices)
    if (slice.fault) promise(!to_text(*slice.fault).empty(), "a fault says something");
  const auto again = read_mach_file(source);
  promise(again && *again == *file, "a file reads twice alike");
}

}  // namespace metal_unlock
