// SPDX-License-Identifier: MIT
#pragma once

// The part of Metal that ggml-metal-device.m names, for compiling it without a Mac. Of all this only the
// questions to the device, libraries and pipelines are ever used while operations are asked about; nothing is
// drawn or computed.

#import <Foundation/Foundation.h>
#include <TargetConditionals.h>
#include <dispatch/dispatch.h>
#include <mach/vm.h>

typedef NSInteger MTLGPUFamily;
typedef NSUInteger MTLDataType;
typedef NSUInteger MTLResourceOptions;
typedef NSUInteger MTLDispatchType;
typedef NSUInteger MTLBarrierScope;
typedef NSUInteger MTLLanguageVersion;

enum { MTLGPUFamilyApple1 = 1001, MTLGPUFamilyApple6 = 1006, MTLGPUFamilyApple7 = 1007 };
enum { MTLGPUFamilyCommon1 = 3001 };
enum { MTLDataTypeInt = 29, MTLDataTypeShort = 37, MTLDataTypeBool = 53 };
enum { MTLResourceStorageModeShared = 0, MTLResourceStorageModePrivate = 32 };
enum { MTLDispatchTypeConcurrent = 1 };
enum { MTLBarrierScopeBuffers = 1 };

typedef struct {
  NSUInteger width, height, depth;
} MTLSize;

static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
  return (MTLSize){width, height, depth};
}

@protocol MTLDevice;

@protocol MTLBuffer <NSObject>
@end

@protocol MTLFunction <NSObject>
@end

@protocol MTLSharedEvent <NSObject>
@property(nonatomic) uint64_t signaledValue;
- (BOOL)waitUntilSignaledValue:(uint64_t)value timeoutMS:(uint64_t)milliseconds;
@end

@protocol MTLComputePipelineState <NSObject>
@property(nonatomic, readonly) NSUInteger maxTotalThreadsPerThreadgroup;
@property(nonatomic, readonly) NSUInteger threadExecutionWidth;
@end

@interface MTLFunctionConstantValues : NSObject
- (void)setConstantValue:(const void*)value type:(MTLDataType)type atIndex:(NSUInteger)index;
@end

@interface MTLCompileOptions : NSObject
@property(nonatomic, copy) NSDictionary* preprocessorMacros;
@property(nonatomic) MTLLanguageVersion languageVersion;
@end

@protocol MTLLibrary <NSObject>
@property(nonatomic, readonly) NSArray* functionNames;
- (id<MTLFunction>)newFunctionWithName:(NSString*)name;
- (id<MTLFunction>)newFunctionWithName:(NSString*)name
                        constantValues:(MTLFunctionConstantValues*)values
                                 error:(NSError**)error;
@end

@protocol MTLComputeCommandEncoder <NSObject>
- (void)setComputePipelineState:(id<MTLComputePipelineState>)pipeline;
- (void)setBytes:(const void*)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads;
- (void)memoryBarrierWithScope:(MTLBarrierScope)scope;
- (void)pushDebugGroup:(NSString*)name;
- (void)popDebugGroup;
- (void)endEncoding;
@end

@protocol MTLBlitCommandEncoder <NSObject>
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value;
- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size;
- (void)endEncoding;
@end

@protocol MTLCommandBuffer <NSObject>
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)type;
- (id<MTLBlitCommandEncoder>)blitCommandEncoder;
- (void)encodeSignalEvent:(id<MTLSharedEvent>)event value:(uint64_t)value;
- (void)encodeWaitForEvent:(id<MTLSharedEvent>)event value:(uint64_t)value;
- (void)addCompletedHandler:(void (^)(id<MTLCommandBuffer>))handler;
- (void)commit;
- (void)waitUntilCompleted;
@end

@protocol MTLCommandQueue <NSObject>
- (id<MTLCommandBuffer>)commandBuffer;
- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences;
@end

@protocol MTLDevice <NSObject>
@property(nonatomic, readonly) NSString* name;
@property(nonatomic, readonly) BOOL hasUnifiedMemory;
@property(nonatomic, readonly) NSUInteger maxBufferLength;
@property(nonatomic, readonly) NSUInteger maxThreadgroupMemoryLength;
@property(nonatomic, readonly) NSUInteger currentAllocatedSize;
@property(nonatomic, readonly) uint64_t recommendedMaxWorkingSetSize;
- (BOOL)supportsFamily:(MTLGPUFamily)family;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLSharedEvent>)newSharedEvent;
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source
                               options:(MTLCompileOptions*)options
                                 error:(NSError**)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError**)error;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void*)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void*, NSUInteger))deallocator;
@end

id<MTLDevice> MTLCreateSystemDefaultDevice(void);
