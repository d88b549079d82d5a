// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/stand_in_objects.h"

#include <objc/runtime.h>

#include <cstdio>
#include <cstdlib>

@implementation MTLStandInObject
+ (id)alloc {
  return class_createInstance(self, 0);
}

+ (Class)class {
  return self;
}

- (id)init {
  return self;
}

- (id)retain {
  return self;
}

- (void)release {
}

- (BOOL)respondsToSelector:(SEL)selector {
  return class_getInstanceMethod(object_getClass(self), selector) != nullptr ? YES : NO;
}
@end

@implementation MTLStandInString
- (id)initWithText:(const char*)text {
  self = [super init];
  text_ = text;
  return self;
}

- (const char*)UTF8String {
  return text_;
}
@end

@implementation MTLStandInArray
- (id)initWithObjects:(const id*)objects count:(NSUInteger)count {
  self = [super init];
  objects_ = objects;
  count_ = count;
  return self;
}

- (NSUInteger)count {
  return count_;
}

- (id)objectAtIndex:(NSUInteger)index {
  if (index >= count_) {
    std::fprintf(stderr, "Metal stand-in: index %lu is beyond an array of %lu\n", index, count_);
    std::abort();
  }
  return objects_[index];
}
@end
