// SPDX-License-Identifier: MIT
#pragma once

#import <objc/NSObject.h>

#include <CoreFoundation/CoreFoundation.h>

#define NS_ENUM CF_ENUM

@interface NSString : NSObject
@property(readonly) const char* UTF8String;
+ (instancetype)stringWithUTF8String:(const char*)text;
@end

@interface NSError : NSObject
@property(readonly) NSString* localizedDescription;
@end

@interface NSArray<__covariant Object> : NSObject
@property(readonly) NSUInteger count;
- (Object)objectAtIndex:(NSUInteger)index;
@end
