// SPDX-License-Identifier: MIT
#pragma once

// For clients that are written for macOS: Metal and the part of Foundation that it needs, over the stand-in.

#include "tests/simulated_guest/stand_in_objects.h"

@interface NSString : MTLStandInString
+ (id)stringWithUTF8String:(const char*)text;
@end

@interface NSError : MTLStandInObject
- (NSString*)localizedDescription;
@end

@interface MTLResidencySetDescriptor : MTLStandInObject
+ (id)new;
@end
