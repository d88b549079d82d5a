// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/metal_client.hpp"

#include "cli/platform/metal_compute.hpp"

#import <Metal/Metal.h>
#include <cstring>

// A client of Metal as metal-unlock is one on macOS, with the same source. The command line opens it when it
// computes, and knows nothing of Objective-C otherwise.

@implementation NSString
+ (id)stringWithUTF8String:(const char*)text {
  return [[self alloc] initWithText:strdup(text)];
}
@end

@implementation MTLResidencySetDescriptor
+ (id)new {
  return [[self alloc] init];
}
@end

#pragma GCC visibility push(default)
extern "C" metal_unlock::ComputeOnDefaultDevice metal_client_compute;
#pragma GCC visibility pop

void metal_client_compute(const metal_unlock::KernelCall& call, metal_unlock::KernelResult& result) {
  result = metal_unlock::compute_on(MTLCreateSystemDefaultDevice(), call);
}
