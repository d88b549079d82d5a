// SPDX-License-Identifier: MIT
#pragma once

#import <Foundation/Foundation.h>

typedef NS_ENUM(NSInteger, MTLGPUFamily) { MTLGPUFamilyApple1 = 1001 };

@protocol MTLDevice <NSObject>
@property(readonly) NSString* name;
@property(readonly) NSUInteger maxThreadgroupMemoryLength;
@property(readonly) uint64_t recommendedMaxWorkingSetSize;
@property(readonly) NSUInteger maxBufferLength;
@property(readonly) BOOL hasUnifiedMemory;
- (BOOL)supportsFamily:(MTLGPUFamily)family;
@end

#ifdef __cplusplus
extern "C" {
#endif

id<MTLDevice> MTLCreateSystemDefaultDevice(void);
NSArray<id<MTLDevice>>* MTLCopyAllDevices(void);

#ifdef __cplusplus
}
#endif
