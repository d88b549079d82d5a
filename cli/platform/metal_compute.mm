// SPDX-License-Identifier: MIT
#include "cli/platform/metal_compute.hpp"

#include "cli/platform/mapped_file.hpp"

#include <objc/runtime.h>

#import <Metal/Metal.h>
#include <cerrno>
#include <cstring>

// Metal is not linked: its classes are found by name, and of its headers only types are used.

/// Since macOS 15. Declared here, so that the SDK of macOS 13 will do.
@protocol ResidencySet
- (void)addAllocation:(id)allocation;
- (void)commit;
- (void)requestResidency;
@end

@protocol DeviceWithResidencySets
- (id<ResidencySet>)newResidencySetWithDescriptor:(id)descriptor error:(NSError**)error;
@end

@protocol QueueWithResidencySets
- (void)addResidencySet:(id<ResidencySet>)set;
@end

namespace metal_unlock {
namespace {

// GCC's Objective-C++ does not take ">>" for two brackets.
using Device = id<MTLDevice>;
using Buffer = id<MTLBuffer>;

/// One sentence of the several lines that a compiler may write: the first that says "error", else the first.
std::string words_of(NSError* error) {
  const char* const text = error == nil ? nullptr : [[error localizedDescription] UTF8String];
  if (text == nullptr) return "Metal does not say why";
  std::string words = text;
  const std::size_t found = words.find("error:");
  const std::size_t start = found == std::string::npos ? 0 : words.rfind('\n', found) + 1;
  return words.substr(start, words.find('\n', start) - start);
}

NSString* string_of(std::string_view text) {
  const id string_class = static_cast<id>(objc_lookUpClass("NSString"));
  return [string_class stringWithUTF8String:std::string{text}.c_str()];
}

/// A call on its way through Metal.
class Computation {
 public:
  Computation(Device device, const KernelCall& call) : device_(device), call_(call) {}

  KernelResult run() {
    if (device_ == nil) return KernelRefusal{KernelStage::device, "Metal offers no device"};
    if (make_buffers() && make_pipeline() && make_queue() && finish_command()) return results();
    return refusal_;
  }

 private:
  bool make_buffers() {
    for (const KernelBuffer& buffer : call_.buffers)
      if (!(buffer.is_mapped ? map_buffer(buffer) : copy_buffer(buffer))) return false;
    return true;
  }

  bool copy_buffer(const KernelBuffer& buffer) {
    maps_.push_back(std::nullopt);
    buffers_.push_back([device_ newBufferWithBytes:buffer.bytes.data()
                                            length:buffer.bytes.size()
                                           options:MTLResourceStorageModeShared]);
    return buffers_.back() != nil || refuse(KernelStage::buffers, "Metal makes no buffer of this size");
  }

  bool map_buffer(const KernelBuffer& buffer) {
    maps_.push_back(MappedFile::make(buffer));
    if (!maps_.back())
      return refuse(KernelStage::buffers, std::string{"no file can be mapped: "} + std::strerror(errno));
    buffers_.push_back([device_ newBufferWithBytesNoCopy:maps_.back()->address()
                                                  length:maps_.back()->length()
                                                 options:MTLResourceStorageModeShared
                                             deallocator:nil]);
    return buffers_.back() != nil || refuse(KernelStage::buffers, "Metal makes no buffer over this file");
  }

  bool make_pipeline() {
    NSError* error = nil;
    const id<MTLLibrary> library = [device_ newLibraryWithSource:string_of(call_.source)
                                                         options:nil
                                                           error:&error];
    if (library == nil) return refuse(KernelStage::library, words_of(error));
    const id<MTLFunction> function = [library newFunctionWithName:string_of(call_.function)];
    if (function == nil) return refuse(KernelStage::library, "the library does not have the function");
    pipeline_ = [device_ newComputePipelineStateWithFunction:function error:&error];
    if (pipeline_ == nil) return refuse(KernelStage::pipeline, words_of(error));
    return [pipeline_ maxTotalThreadsPerThreadgroup] >= call_.threads ||
           refuse(KernelStage::pipeline, "Metal runs the kernel with fewer threads only");
  }

  bool make_queue() {
    queue_ = [device_ newCommandQueue];
    if (queue_ == nil) return refuse(KernelStage::command, "Metal makes no command queue");
    return !call_.needs_residency_set || make_resident();
  }

  /// Since macOS 15, for which the descriptor's class and the device's method are a sign.
  bool make_resident() {
    const id descriptor_class = static_cast<id>(objc_lookUpClass("MTLResidencySetDescriptor"));
    if (descriptor_class == nil || ![device_ respondsToSelector:@selector(newResidencySetWithDescriptor:
                                                                                                  error:)])
      return refuse(KernelStage::absent, "this version of macOS has no residency sets");
    NSError* error = nil;
    const id device = device_;
    const id queue = queue_;
    const id<ResidencySet> set = [device newResidencySetWithDescriptor:[descriptor_class new] error:&error];
    if (set == nil) return refuse(KernelStage::residency_set, words_of(error));
    for (const Buffer buffer : buffers_) [set addAllocation:buffer];
    [set commit];
    [set requestResidency];
    [queue addResidencySet:set];
    return true;
  }

  bool finish_command() {
    const id<MTLCommandBuffer> command = [queue_ commandBuffer];
    const id<MTLComputeCommandEncoder> encoder = [command computeCommandEncoder];
    if (encoder == nil) return refuse(KernelStage::command, "Metal encodes no commands");
    [encoder setComputePipelineState:pipeline_];
    for (std::size_t i = 0; i < buffers_.size(); ++i) [encoder setBuffer:buffers_[i] offset:0 atIndex:i];
    if (call_.threadgroup_memory.count != 0)
      [encoder setThreadgroupMemoryLength:call_.threadgroup_memory.count atIndex:0];
    [encoder dispatchThreadgroups:MTLSizeMake(call_.threadgroups, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(call_.threads, 1, 1)];
    [encoder endEncoding];
    [command commit];
    [command waitUntilCompleted];
    return [command status] == MTLCommandBufferStatusCompleted ||
           refuse(KernelStage::command, words_of([command error]));
  }

  std::vector<std::string> results() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      all.push_back(maps_[i] ? maps_[i]->bytes()
                             : std::string(static_cast<const char*>([buffers_[i] contents]),
                                           call_.buffers[i].bytes.size()));
    return all;
  }

  bool refuse(KernelStage stage, std::string words) {
    refusal_ = {stage, std::move(words)};
    return false;
  }

  Device device_;
  const KernelCall& call_;
  std::vector<std::optional<MappedFile>> maps_;
  std::vector<Buffer> buffers_;
  id<MTLComputePipelineState> pipeline_ = nil;
  id<MTLCommandQueue> queue_ = nil;
  KernelRefusal refusal_;
};

}  // namespace

KernelResult compute_on(id device, const KernelCall& call) {
  return Computation(static_cast<Device>(device), call).run();
}

}  // namespace metal_unlock
