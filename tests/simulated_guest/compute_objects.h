// SPDX-License-Identifier: MIT
#pragma once

#include "tests/simulated_guest/device.h"
#include "tests/simulated_guest/gpu.hpp"

#include <memory>
#include <string>

@interface MTLStandInError : MTLStandInObject {
  id<StandInString> text_;
}
- (id)initWithText:(const char*)text;
- (id<StandInString>)localizedDescription;
@end

/// Fills `error` where the client wants to know.
void explain(NSError** error, const std::string& text);

@interface MTLStandInBuffer : MTLStandInObject <MTLBuffer> {
  void* bytes_;
  NSUInteger length_;
}
- (id)initWithBytes:(void*)bytes length:(NSUInteger)length;
@end

@interface MTLStandInLibrary : MTLStandInObject <MTLLibrary> {
 @public
  std::string* source_;
}
- (id)initWithSource:(const char*)source;
@end

/// A function, and the pipeline that is made of it.
@interface MTLStandInFunction : MTLStandInObject <MTLFunction, MTLComputePipelineState> {
 @public
  const std::string* source_;
  std::string* name_;
  int kernel_;
}
- (id)initWithName:(const char*)name source:(const std::string*)source kernel:(int)kernel;
@end

@interface MTLStandInResidencySet : MTLStandInObject
@end

/// Queue, command buffer and encoder of one command in one.
@interface MTLStandInCommand
    : MTLStandInObject <MTLCommandQueue, MTLCommandBuffer, MTLComputeCommandEncoder> {
  _MTLDevice* device_;
  MTLStandInFunction* function_;
  std::vector<std::byte*>* buffers_;
  std::vector<std::size_t>* sizes_;
  metal_unlock::GpuCommand command_;
  NSUInteger status_;
  id error_;
  BOOL hangs_;
}
- (id)initWithDevice:(_MTLDevice*)device;
@end
