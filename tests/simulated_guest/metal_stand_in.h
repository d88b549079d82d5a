// SPDX-License-Identifier: MIT
#pragma once

// What a client may ask of the stand-in for Metal. The names and types are those of Metal and Foundation, but
// only the capability questions exist: there is nothing here to draw or compute with.
//
// Every object lives as long as the process: `retain` and `release` are there to be called and do nothing.

#include <objc/objc.h>

#include <stdint.h>

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef NSInteger MTLGPUFamily;

@protocol StandInObject
- (id)retain;
- (void)release;
- (BOOL)respondsToSelector:(SEL)selector;
@end

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
