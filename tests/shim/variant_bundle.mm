// SPDX-License-Identifier: MIT
#include "tests/shim/variant_metal.h"

// Classes that arrive while the first device is made, as those of Apple's drivers do.

@interface BundleDevice : _MTLDevice
@end
@implementation BundleDevice
@end

@interface SecondBundleDevice : _MTLDevice
@end
@implementation SecondBundleDevice
@end

@interface ThirdBundleDevice : _MTLDevice
@end
@implementation ThirdBundleDevice
- (BOOL)supportsFamily:(long)family {
  return [super supportsFamily:family];
}
@end

@interface FourthBundleDevice : SecondBundleDevice
@end
@implementation FourthBundleDevice
@end
