// SPDX-License-Identifier: MIT
#pragma once

// A second stand-in for Metal, for the ways in which a device can come into being that the simulated guest
// does not have. Every device answers as an Apple 5 chip with 16 KiB of threadgroup memory; what differs is
// its class.

#include <objc/objc.h>

#include <stdint.h>

/// The classes of the devices to make, separated by commas; the first is the default device. A class that is
/// not there is looked for in libvariant_bundle.so, which is loaded at that moment. "Wrapped" in front of a
/// name puts an MTLDebugDevice around the device.
inline constexpr char variant_devices_variable[] = "VARIANT_DEVICES";

__attribute__((objc_root_class))
@interface VariantObject {
  Class isa;
}
+ (id)alloc;
- (id)init;
@end

@protocol VariantDevice
- (BOOL)supportsFamily:(long)family;
- (uint64_t)maxThreadgroupMemoryLength;
@end

@protocol VariantArray
- (unsigned long)count;
- (id)objectAtIndex:(unsigned long)index;
@end

/// The base class, which asks for its families when it is made, or for a late class at the first question. It
/// has no recommendedMaxWorkingSetSize.
@interface _MTLDevice : VariantObject <VariantDevice> {
  long highest_apple_family_;
}
- (BOOL)isLate;
#if !defined(VARIANT_WITHOUT_INIT)
- (void)initGPUFamilySupport;
#endif
@end

#pragma GCC visibility push(default)
extern "C" {
/// Makes the devices at the first call, in whichever thread; the same ones for every call.
id<VariantDevice> MTLCreateSystemDefaultDevice();
id<VariantArray> MTLCopyAllDevices();
/// Makes one more device, also where other threads do the same.
id<VariantDevice> variant_make_device(const char* class_name);
}
#pragma GCC visibility pop
