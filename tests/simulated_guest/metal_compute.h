// SPDX-License-Identifier: MIT
#pragma once

// What a client may compute with, of Metal's names and types. The protocols hold what
// cli/platform/metal_compute.mm uses.

#include <objc/objc.h>

typedef long NSInteger;
typedef unsigned long NSUInteger;

@class NSString;
@class NSError;

@protocol StandInObject
- (id)retain;
- (void)release;
- (BOOL)respondsToSelector:(SEL)selector;
@end

typedef struct {
  NSUInteger width, height, depth;
} MTLSize;

static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
  MTLSize size = {width, height, depth};
  return size;
}

typedef NSUInteger MTLResourceOptions;
typedef NSUInteger MTLCommandBufferStatus;
enum { MTLResourceStorageModeShared = 0 };
enum { MTLCommandBufferStatusCompleted = 4, MTLCommandBufferStatusError = 5 };

@protocol MTLBuffer <StandInObject>
- (void*)contents;
- (NSUInteger)length;
@end

@protocol MTLFunction <StandInObject>
@end

@protocol MTLLibrary <StandInObject>
- (id<MTLFunction>)newFunctionWithName:(NSString*)name;
@end

@protocol MTLComputePipelineState <StandInObject>
- (NSUInteger)maxTotalThreadsPerThreadgroup;
@end

@protocol MTLComputeCommandEncoder <StandInObject>
- (void)setComputePipelineState:(id<MTLComputePipelineState>)pipeline;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads;
- (void)endEncoding;
@end

@protocol MTLCommandBuffer <StandInObject>
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (void)commit;
- (void)waitUntilCompleted;
- (MTLCommandBufferStatus)status;
- (NSError*)error;
@end

@protocol MTLCommandQueue <StandInObject>
- (id<MTLCommandBuffer>)commandBuffer;
@end
