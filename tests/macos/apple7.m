// SPDX-License-Identifier: MIT

// The smallest Metal client: prints yes or no, and ends with 3 where Metal offers no device.

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <stdio.h>

int main(void) {
  @autoreleasepool {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    if (device == nil) return 3;
    puts([device supportsFamily:MTLGPUFamilyApple7] ? "yes" : "no");
  }
  return 0;
}
