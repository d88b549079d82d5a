// SPDX-License-Identifier: MIT
#include "cli/platform/macos_metal.hpp"

#include "cli/core/text_format.hpp"
#include "cli/platform/metal_compute.hpp"

#include <objc/runtime.h>

#import <Metal/Metal.h>
#include <dlfcn.h>

// Metal is opened when it is asked and not linked: the loader would start it, and all that it depends on, in
// every `run` as well, which needs none of it. Only its headers are used; no symbol of its is referred to.

/// Since macOS 14. Declared here, so that the SDK of macOS 13 will do, and a guest of that age is no special
/// case.
@protocol DeviceWithArchitecture
- (id<DeviceWithArchitecture>)architecture;
- (NSString*)name;
@end

namespace metal_unlock {
namespace {

constexpr char core_graphics_path[] =
    "/System/Library/Frameworks/CoreGraphics.framework/Versions/A/CoreGraphics";

std::string text_of(NSString* string) {
  const char* const text = string == nil ? nullptr : string.UTF8String;
  return text == nullptr ? std::string{} : text;
}

std::string architecture_of(id<MTLDevice> device) {
  if (![device respondsToSelector:@selector(architecture)]) return {};
  return text_of([[static_cast<id<DeviceWithArchitecture>>(device) architecture] name]);
}

std::optional<Bytes> known_size(std::uint64_t answer) {
  return answer == 0 ? std::nullopt : std::optional{Bytes{answer}};
}

DeviceAnswers answers_of(id<MTLDevice> device) {
  DeviceAnswers answers;
  answers.name = text_of(device.name);
  answers.class_name = object_getClassName(device);
  answers.architecture = architecture_of(device);
  for (const auto& [first, last] : asked_families())
    for (std::uint32_t number = first; number <= last; ++number)
      if ([device supportsFamily:static_cast<MTLGPUFamily>(number)])
        answers.families.push_back(GpuFamily{number});
  answers.max_threadgroup_memory = Bytes{device.maxThreadgroupMemoryLength};
  answers.recommended_max_working_set = known_size(device.recommendedMaxWorkingSetSize);
  answers.max_buffer_length = known_size(device.maxBufferLength);
  answers.unified_memory = device.hasUnifiedMemory != NO;
  return answers;
}

template <class Function>
Function function(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

void* open_metal() {
  // Without a window server Metal offers no default device to a process that has not loaded CoreGraphics.
  ::dlopen(core_graphics_path, RTLD_LAZY);
  return ::dlopen(macos_metal_path, RTLD_LAZY);
}

}  // namespace

Result<std::vector<DeviceAnswers>> ask_macos_metal() {
  void* const metal = open_metal();
  if (metal == nullptr)
    return Finding{FindingId::no_metal, formatted("Metal cannot be opened: {}", ::dlerror()),
                   "metal-unlock needs macOS 13 or later"};
  const auto copy_all = function<decltype(&MTLCopyAllDevices)>(metal, "MTLCopyAllDevices");
  const auto create_default =
      function<decltype(&MTLCreateSystemDefaultDevice)>(metal, "MTLCreateSystemDefaultDevice");
  if (copy_all == nullptr || create_default == nullptr)
    return Finding{FindingId::no_metal, formatted("'{}' makes no devices", macos_metal_path),
                   "metal-unlock needs macOS 13 or later"};
  std::vector<DeviceAnswers> answers;
  // Nothing that Metal hands out is released: the answers outlive it, and this process ends soon.
  @autoreleasepool {
    NSArray<id<MTLDevice>>* const devices = copy_all();
    for (NSUInteger i = 0; i < devices.count; ++i) answers.push_back(answers_of([devices objectAtIndex:i]));
    if (!answers.empty()) return answers;
    if (const id<MTLDevice> device = create_default()) answers.push_back(answers_of(device));
  }
  return answers;
}

KernelResult compute_on_macos(const KernelCall& call) {
  void* const metal = open_metal();
  const auto create_default = metal == nullptr ? nullptr
                                               : function<decltype(&MTLCreateSystemDefaultDevice)>(
                                                     metal, "MTLCreateSystemDefaultDevice");
  if (create_default == nullptr) return KernelRefusal{KernelStage::device, "Metal cannot be opened"};
  return compute_on(create_default(), call);
}

}  // namespace metal_unlock
