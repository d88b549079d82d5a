// SPDX-License-Identifier: MIT
#pragma once

#import <objc/NSObject.h>

#include <CoreFoundation/CoreFoundation.h>

#define NS_ENUM CF_ENUM

@interface NSString : NSObject
@property(readonly) const char* UTF8String;
@end

@interface NSArray<__covariant Object> : NSObject
@property(readonly) NSUInteger count;
- (Object)objectAtIndex:(NSUInteger)index;
@end
