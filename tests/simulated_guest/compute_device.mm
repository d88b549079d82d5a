// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/compute_objects.h"
#include "tests/simulated_guest/device_state.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <sys/mman.h>

using namespace metal_unlock;

namespace {

/// What a source uses, and the Apple family that has it.
struct Feature {
  std::string_view word;
  MTLGPUFamily since;
  const char* name;
};
constexpr std::array<Feature, 4> features{{
    {"simdgroup_matrix", 1007, "SIMD-group matrices"},
    {"simd_sum", 1007, "SIMD-group reductions"},
    {"simd_shuffle", 1006, "SIMD-group shuffles"},
    {"bfloat", 1006, "bfloat"},
}};

/// The source without what stands in comments.
std::string code_of(std::string_view source) {
  std::string code;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    code.append(line.substr(0, line.find("//"))).append("\n");
    source.remove_prefix(std::min(source.size(), line.size() + 1));
  }
  return code;
}

std::string compile_trouble(const std::string& source) {
  if (is_wedged()) return "Compiler encountered an internal error (simulated)";
  const std::string code = code_of(source);
  for (const Fault& fault : device_faults()) {
    const bool is_meant = fault.kernel.empty() || code.find(" " + fault.kernel + "(") != std::string::npos;
    if (fault.kind == FaultKind::compile_failure && is_meant)
      return "program_source:5:1: error: simulated failure of the compiler";
    if (fault.kind == FaultKind::no_bfloat && code.find("bfloat") != std::string::npos)
      return "program_source:7:9: error: unknown type name 'bfloat'";
  }
  return {};
}

}  // namespace

@implementation _MTLDevice (SimulatedCompute)
- (id<MTLCommandQueue>)newCommandQueue {
  return [[MTLStandInCommand alloc] initWithDevice:self];
}

- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source options:(id)options error:(NSError**)error {
  (void)options;
  if (simulated_gpu().run_kernel == nullptr) {
    explain(error, "the simulated GPU cannot be opened");
    return nil;
  }
  MTLStandInLibrary* const library =
      [[MTLStandInLibrary alloc] initWithSource:[(id<StandInString>)source UTF8String]];
  const std::string trouble = compile_trouble(*library->source_);
  if (trouble.empty()) return library;
  explain(error, trouble);
  return nil;
}

- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError**)error {
  MTLStandInFunction* const made = (MTLStandInFunction*)function;
  const std::string code = code_of(*made->source_);
  for (const Feature& feature : features) {
    if (code.find(feature.word) == std::string::npos || [self supportsFamily:feature.since]) continue;
    explain(error, std::string{feature.name} + " are not supported on this device");
    return nil;
  }
  return made;
}

- (id<MTLBuffer>)newBufferWithBytes:(const void*)bytes
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options {
  (void)options;
  void* const copy = std::malloc(length);
  return [[MTLStandInBuffer alloc] initWithBytes:std::memcpy(copy, bytes, length) length:length];
}

- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void*)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(id)deallocator {
  (void)options;
  (void)deallocator;
  const Fault* const fault = find_fault(device_faults(), FaultKind::stale_map, {});
  if (fault != nullptr && length > fault->above) {
    bytes = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) return nil;
  }
  return [[MTLStandInBuffer alloc] initWithBytes:bytes length:length];
}

- (id)newResidencySetWithDescriptor:(id)descriptor error:(NSError**)error {
  (void)descriptor;
  if (find_fault(device_faults(), FaultKind::no_residency_set, {}) == nullptr)
    return [[MTLStandInResidencySet alloc] init];
  explain(error, "residency sets are not supported on this device");
  return nil;
}
@end
