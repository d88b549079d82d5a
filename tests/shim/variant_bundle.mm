// SPDX-License-Identifier: MIT
#include "tests/shim/variant_metal.h"

// Classes that arrive while the first device is made, as those of Apple's drivers do.

@interface BundleDevice : _MTLDevice
@end
@implementation BundleDevice
@end
