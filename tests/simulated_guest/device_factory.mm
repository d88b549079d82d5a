// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/device_factory.h"

#include <objc/runtime.h>

#include <cstdio>

namespace {

bool is_device_class(Class candidate) {
  const Class base = [_MTLDevice class];
  while (candidate != Nil && candidate != base) candidate = class_getSuperclass(candidate);
  return candidate == base;
}

/// The class that the recording names, made on the spot where the stand-in has none of its own by that name:
/// so each recorded GPU has its own class, as it has on a Mac.
Class device_class(const char* name) {
  const Class existing = objc_getClass(name);
  if (existing != Nil) return is_device_class(existing) ? existing : Nil;
  const Class made = objc_allocateClassPair([_MTLDevice class], name, 0);
  if (made != Nil) objc_registerClassPair(made);
  return made;
}

}  // namespace

id<MTLDevice> make_device(const metal_unlock::DeviceAnswers& answers) {
  const Class concrete = device_class(answers.class_name.c_str());
  if (concrete == Nil) {
    std::fprintf(stderr, "Metal stand-in: '%s' is no class for a device\n", answers.class_name.c_str());
    return nil;
  }
  return [[concrete alloc] initWithAnswers:&answers];
}
