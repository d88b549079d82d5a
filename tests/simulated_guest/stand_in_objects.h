// SPDX-License-Identifier: MIT
#pragma once

#include "tests/simulated_guest/metal_stand_in.h"

#include <cstddef>

/// Root class of everything in the stand-in. GCC's own root class cannot even allocate an instance.
__attribute__((objc_root_class))
@interface MTLStandInObject<StandInObject> {
  Class isa;
}
+ (id)alloc;
+ (Class)class;
- (id)init;
@end

@interface MTLStandInString : MTLStandInObject <StandInString> {
  const char* text_;
}
/// `text` must outlive the string.
- (id)initWithText:(const char*)text;
@end

@interface MTLStandInArray : MTLStandInObject <StandInArray> {
  const id* objects_;
  NSUInteger count_;
}
/// `objects` must outlive the array.
- (id)initWithObjects:(const id*)objects count:(NSUInteger)count;
@end
