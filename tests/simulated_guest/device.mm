// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/device.h"

#include <algorithm>
#include <utility>

@interface MTLStandInArchitecture : MTLStandInObject <MTLArchitecture> {
  id<StandInString> name_;
}
- (id)initWithName:(const char*)name;
@end

@implementation MTLStandInArchitecture
- (id)initWithName:(const char*)name {
  self = [super init];
  name_ = [[MTLStandInString alloc] initWithText:name];
  return self;
}

- (id<StandInString>)name {
  return name_;
}
@end

namespace {

NSUInteger length_or_zero(std::optional<metal_unlock::Bytes> size) { return size ? size->count : 0; }

}  // namespace

@implementation _MTLDevice
- (id)initWithAnswers:(const metal_unlock::DeviceAnswers*)answers {
  answers_ = answers;
  name_ = [[MTLStandInString alloc] initWithText:answers->name.c_str()];
  if (!answers->architecture.empty()) {
    architecture_ = [[MTLStandInArchitecture alloc] initWithName:answers->architecture.c_str()];
  }
  return [self init];
}

- (id)init {
  self = [super init];
  supported_families_ = new std::vector<metal_unlock::GpuFamily>();
#ifdef STAND_IN_WITHOUT_INIT_GPU_FAMILY_SUPPORT
  *supported_families_ = answers_->families;
#else
  [self initGPUFamilySupport];
#endif
  return self;
}

#ifndef STAND_IN_WITHOUT_INIT_GPU_FAMILY_SUPPORT
- (void)initGPUFamilySupport {
  *supported_families_ = answers_->families;
}
#endif

- (id<StandInString>)name {
  return name_;
}

- (id<MTLArchitecture>)architecture {
  return architecture_;
}

- (BOOL)supportsFamily:(MTLGPUFamily)family {
  if (!std::in_range<std::uint32_t>(family)) return NO;
  const metal_unlock::GpuFamily wanted{static_cast<std::uint32_t>(family)};
  return std::binary_search(supported_families_->begin(), supported_families_->end(), wanted) ? YES : NO;
}

- (NSUInteger)maxThreadgroupMemoryLength {
  return answers_->max_threadgroup_memory.count;
}

- (uint64_t)recommendedMaxWorkingSetSize {
  return length_or_zero(answers_->recommended_max_working_set);
}

- (NSUInteger)maxBufferLength {
  return length_or_zero(answers_->max_buffer_length);
}

- (BOOL)hasUnifiedMemory {
  return answers_->unified_memory ? YES : NO;
}
@end

@implementation AppleParavirtDevice
@end

@implementation AGXG13XDevice
- (id<StandInString>)name {
  return [super name];
}
@end
