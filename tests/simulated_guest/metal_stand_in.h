// SPDX-License-Identifier: MIT
#pragma once

// What a client may ask of the stand-in for Metal. The names and types are those of Metal and Foundation.
// There is nothing here to draw with; what there is to compute with stands in metal_compute.h.
//
// Every object lives as long as the process: `retain` and `release` are there to be called and do nothing.

#include "tests/simulated_guest/metal_compute.h"

#include <objc/objc.h>

#include <stdint.h>

typedef NSInteger MTLGPUFamily;

@protocol StandInString <StandInObject>
- (const char*)UTF8String;
@end

@protocol StandInArray <StandInObject>
- (NSUInteger)count;
/// The process ends where `index` is not below `count`, as it would on macOS.
- (id)objectAtIndex:(NSUInteger)index;
@end

@protocol MTLArchitecture <StandInObject>
- (id<StandInString>)name;
@end

/// A device answers what the recorded guest says; an unknown size is answered with 0.
@protocol MTLDevice <StandInObject>
- (id<StandInString>)name;
/// Nil where the recording does not know it.
- (id<MTLArchitecture>)architecture;
- (BOOL)supportsFamily:(MTLGPUFamily)family;
- (NSUInteger)maxThreadgroupMemoryLength;
- (uint64_t)recommendedMaxWorkingSetSize;
- (NSUInteger)maxBufferLength;
- (BOOL)hasUnifiedMemory;

@optional
- (id<MTLCommandQueue>)newCommandQueue;
/// Knows the kernels of cli/verify by their text, and no other source.
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source options:(id)options error:(NSError**)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError**)error;
- (id<MTLBuffer>)newBufferWithBytes:(const void*)bytes
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void*)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(id)deallocator;
@end

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The first recorded device; nil where the guest has none or its file is bad (then one line on stderr says
/// why). Safe to call from any thread; the same object each time.
id<MTLDevice> MTLCreateSystemDefaultDevice(void);

/// All recorded devices in their order; never nil, possibly empty.
id<StandInArray> MTLCopyAllDevices(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
