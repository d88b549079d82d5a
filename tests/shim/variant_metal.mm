// SPDX-License-Identifier: MIT
#include "tests/shim/variant_metal.h"

#include <objc/runtime.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

@implementation VariantObject
+ (id)alloc {
  return class_createInstance(self, 0);
}
- (id)init {
  return self;
}
@end

@implementation _MTLDevice
- (id)init {
  self = [super init];
#if defined(VARIANT_WITHOUT_INIT)
  highest_apple_family_ = 1005;
#else
  if (![self isLate]) [self initGPUFamilySupport];
#endif
  return self;
}
#if !defined(VARIANT_WITHOUT_INIT)
- (void)initGPUFamilySupport {
  highest_apple_family_ = 1005;
}
#endif
- (BOOL)isLate {
  return NO;
}
- (BOOL)supportsFamily:(long)family {
#if !defined(VARIANT_WITHOUT_INIT)
  if (highest_apple_family_ == 0) [self initGPUFamilySupport];
#endif
  return (family >= 1001 && family <= highest_apple_family_) || (family >= 3001 && family <= 3003);
}
- (uint64_t)maxThreadgroupMemoryLength {
  return 16384;
}
@end

/// Overrides nothing itself.
@interface PlainDevice : _MTLDevice
@end
@implementation PlainDevice
@end

/// The same again, for two devices of two classes.
@interface OtherDevice : _MTLDevice
@end
@implementation OtherDevice
@end

/// Answers everything itself.
@interface OwnDevice : _MTLDevice
@end
@implementation OwnDevice
- (BOOL)supportsFamily:(long)family {
  return [super supportsFamily:family];
}
- (uint64_t)maxThreadgroupMemoryLength {
  return [super maxThreadgroupMemoryLength];
}
@end

/// Has been sent messages before any constructor of another library runs. It has a method of its own, so that
/// GCC's runtime gives it a dispatch table of its own, which then keeps the base class's stock methods.
@interface WarmDevice : _MTLDevice
@end
@implementation WarmDevice
+ (void)load {
  [[[WarmDevice alloc] init] supportsFamily:1001];
}
- (BOOL)isLate {
  return NO;
}
@end

/// Finds its families at the first question.
@interface LateDevice : _MTLDevice
@end
@implementation LateDevice
- (BOOL)isLate {
  return YES;
}
@end

/// A class below one that is named in the handoff.
@interface PlainSubDevice : PlainDevice
@end
@implementation PlainSubDevice
@end

/// A class below a named one that does not let its superclass answer.
@interface StubbornDevice : PlainDevice
@end
@implementation StubbornDevice
- (BOOL)supportsFamily:(long)family {
  return family >= 1001 && family <= highest_apple_family_;
}
@end

/// Has the question that the base class does not have.
@interface WorkingSetDevice : _MTLDevice
- (uint64_t)recommendedMaxWorkingSetSize;
@end
@implementation WorkingSetDevice
- (uint64_t)recommendedMaxWorkingSetSize {
  return 1024;
}
@end

/// What Metal's validation puts in front of a device: a class of its own that passes every question on.
@interface MTLDebugDevice : VariantObject <VariantDevice> {
  id<VariantDevice> device_;
}
- (id)initWithDevice:(id<VariantDevice>)device;
@end
@implementation MTLDebugDevice
- (id)initWithDevice:(id<VariantDevice>)device {
  device_ = device;
  return self;
}
- (BOOL)supportsFamily:(long)family {
  return [device_ supportsFamily:family];
}
- (uint64_t)maxThreadgroupMemoryLength {
  return [device_ maxThreadgroupMemoryLength];
}
@end

@interface VariantList : VariantObject <VariantArray> {
  std::vector<id>* devices_;
}
- (id)initWithDevices:(std::vector<id>*)devices;
@end
@implementation VariantList
- (id)initWithDevices:(std::vector<id>*)devices {
  devices_ = devices;
  return self;
}
- (unsigned long)count {
  return devices_->size();
}
- (id)objectAtIndex:(unsigned long)index {
  return devices_->at(index);
}
@end

namespace {

id made(const std::string& name) {
  constexpr char wrapped[] = "Wrapped";
  if (name.starts_with(wrapped))
    return [[MTLDebugDevice alloc] initWithDevice:made(name.substr(std::strlen(wrapped)))];
  if (objc_lookUpClass(name.c_str()) == Nil) dlopen("libvariant_bundle.so", RTLD_NOW);
  const Class device_class = static_cast<Class>(objc_lookUpClass(name.c_str()));
  if (device_class == Nil) std::abort();
  return [[device_class alloc] init];
}

std::vector<id>* make_devices() {
  auto* devices = new std::vector<id>();
  const char* names = std::getenv(variant_devices_variable);
  for (std::string rest = names == nullptr ? "PlainDevice" : names; !rest.empty();) {
    const std::string name = rest.substr(0, rest.find(','));
    devices->push_back(made(name));
    rest.erase(0, name.size() + 1);
  }
  return devices;
}

std::vector<id>* devices() {
  static std::vector<id>* const all = make_devices();
  return all;
}

}  // namespace

#if !defined(VARIANT_WITHOUT_DEFAULT_DEVICE)
id<VariantDevice> MTLCreateSystemDefaultDevice() { return devices()->front(); }
#endif

id<VariantArray> MTLCopyAllDevices() { return [[VariantList alloc] initWithDevices:devices()]; }

id<VariantDevice> variant_make_device(const char* class_name) { return made(class_name); }
