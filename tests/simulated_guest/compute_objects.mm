// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/compute_objects.h"

#include "tests/simulated_guest/device_state.hpp"

#include <cstring>
#include <unistd.h>

using namespace metal_unlock;

namespace {

/// Of every Apple chip known. A claim above it is accepted by a device that believes it, and fails here.
constexpr std::size_t threadgroup_memory_of_the_chip = 32768;

const char* text_of(NSString* string) { return [(id<StandInString>)string UTF8String]; }

}  // namespace

void explain(NSError** error, const std::string& text) {
  if (error != nullptr) *error = (NSError*)[[MTLStandInError alloc] initWithText:text.c_str()];
}

@implementation MTLStandInError
- (id)initWithText:(const char*)text {
  self = [super init];
  text_ = [[MTLStandInString alloc] initWithText:strdup(text)];
  return self;
}

- (id<StandInString>)localizedDescription {
  return text_;
}
@end

@implementation MTLStandInBuffer
- (id)initWithBytes:(void*)bytes length:(NSUInteger)length {
  self = [super init];
  bytes_ = bytes;
  length_ = length;
  return self;
}

- (void*)contents {
  return bytes_;
}

- (NSUInteger)length {
  return length_;
}
@end

@implementation MTLStandInLibrary
- (id)initWithSource:(const char*)source {
  self = [super init];
  source_ = new std::string(source);
  return self;
}

- (id<MTLFunction>)newFunctionWithName:(NSString*)name {
  const int kernel = simulated_gpu().find_kernel(source_->c_str(), text_of(name));
  if (kernel < 0) return nil;
  return [[MTLStandInFunction alloc] initWithName:text_of(name) source:source_ kernel:kernel];
}
@end

@implementation MTLStandInFunction
- (id)initWithName:(const char*)name source:(const std::string*)source kernel:(int)kernel {
  self = [super init];
  name_ = new std::string(name);
  source_ = source;
  kernel_ = kernel;
  return self;
}

- (NSUInteger)maxTotalThreadsPerThreadgroup {
  return 1024;
}
@end

@implementation MTLStandInResidencySet
- (void)addAllocation:(id)allocation {
  (void)allocation;
}

- (void)commit {
}

- (void)requestResidency {
}
@end

@implementation MTLStandInCommand
- (id)initWithDevice:(_MTLDevice*)device {
  self = [super init];
  device_ = device;
  buffers_ = new std::vector<std::byte*>();
  sizes_ = new std::vector<std::size_t>();
  return self;
}

- (id<MTLCommandBuffer>)commandBuffer {
  return [[MTLStandInCommand alloc] initWithDevice:device_];
}

- (void)addResidencySet:(id)set {
  (void)set;
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoder {
  return self;
}

- (void)setComputePipelineState:(id<MTLComputePipelineState>)pipeline {
  function_ = (MTLStandInFunction*)pipeline;
}

- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
  if (buffers_->size() <= index) {
    buffers_->resize(index + 1);
    sizes_->resize(index + 1);
  }
  (*buffers_)[index] = static_cast<std::byte*>([buffer contents]) + offset;
  (*sizes_)[index] = [buffer length] - offset;
}

- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
  (void)index;
  command_.threadgroup_memory = length;
}

- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads {
  command_.threadgroups = static_cast<unsigned>(groups.width);
  command_.threads = static_cast<unsigned>(threads.width);
}

- (void)endEncoding {
}

- (void)fail:(const std::string&)text {
  status_ = MTLCommandBufferStatusError;
  error_ = [[MTLStandInError alloc] initWithText:text.c_str()];
}

- (std::string)run {
  command_.buffers = buffers_->data();
  command_.sizes = sizes_->data();
  command_.buffer_count = buffers_->size();
  char trouble[gpu_sentence_size];
  simulated_gpu().run_kernel(function_->kernel_, command_, device_faults(), trouble);
  return trouble;
}

- (std::string)meetFaults {
  const std::string& name = *function_->name_;
  const auto has = [&name](FaultKind kind) { return find_fault(device_faults(), kind, name) != nullptr; };
  if (has(FaultKind::crash)) std::abort();
  hangs_ = has(FaultKind::hang) ? YES : NO;
  if (has(FaultKind::wedge)) wedge();
  if (is_wedged()) return "Caused GPU Hang Error (simulated): ignored for causing prior GPU errors";
  const NSUInteger limit = [device_ maxThreadgroupMemoryLength];
  if (command_.threadgroup_memory > limit)
    return "threadgroup memory of " + std::to_string(command_.threadgroup_memory) +
           " bytes is above the limit of " + std::to_string(limit);
  if (command_.threadgroup_memory > threadgroup_memory_of_the_chip)
    return "threadgroup memory of " + std::to_string(command_.threadgroup_memory) +
           " bytes is more than the GPU has";
  return {};
}

- (void)commit {
  std::string trouble = [self meetFaults];
  if (trouble.empty() && !hangs_) trouble = [self run];
  status_ = MTLCommandBufferStatusCompleted;
  if (!trouble.empty()) [self fail:trouble];
}

- (void)waitUntilCompleted {
  while (hangs_) ::pause();
}

- (MTLCommandBufferStatus)status {
  return status_;
}

- (NSError*)error {
  return (NSError*)error_;
}
@end
