// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/simulated_metal.hpp"

#include "cli/core/text_format.hpp"
#include "tests/simulated_guest/metal_client.hpp"

#include <cstring>
#include <dlfcn.h>

// Plain C++ that looks the runtime up by name: were the command line linked with it, every `run` would load
// it.

namespace metal_unlock {
namespace {

using Object = void*;
using Selector = const void*;
using Method = void (*)();

/// GCC's Objective-C runtime, as the stand-in brings it.
class Runtime {
 public:
  explicit Runtime(void* library)
      : lookup_(function<Method (*)(Object, Selector)>(library, "objc_msg_lookup")),
        selector_(function<Selector (*)(const char*)>(library, "sel_registerName")),
        class_name_(function<const char* (*)(Object)>(library, "object_getClassName")) {}

  explicit operator bool() const {
    return lookup_ != nullptr && selector_ != nullptr && class_name_ != nullptr;
  }

  template <class Answer, class... Arguments>
  Answer ask(Object receiver, const char* name, Arguments... arguments) const {
    const Selector selector = selector_(name);
    const auto method =
        reinterpret_cast<Answer (*)(Object, Selector, Arguments...)>(lookup_(receiver, selector));
    return method(receiver, selector, arguments...);
  }

  const char* class_name(Object object) const { return class_name_(object); }

  template <class Function>
  static Function function(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
  }

 private:
  Method (*lookup_)(Object, Selector);
  Selector (*selector_)(const char*);
  const char* (*class_name_)(Object);
};

std::optional<Bytes> known_size(std::uint64_t answer) {
  return answer == 0 ? std::nullopt : std::optional{Bytes{answer}};
}

std::string text_of(const Runtime& runtime, Object string) {
  return string == nullptr ? std::string{} : runtime.ask<const char*>(string, "UTF8String");
}

DeviceAnswers answers_of(const Runtime& runtime, Object device) {
  DeviceAnswers answers;
  answers.name = text_of(runtime, runtime.ask<Object>(device, "name"));
  answers.class_name = runtime.class_name(device);
  const Object architecture = runtime.ask<Object>(device, "architecture");
  if (architecture != nullptr)
    answers.architecture = text_of(runtime, runtime.ask<Object>(architecture, "name"));
  for (const auto& [first, last] : asked_families())
    for (std::uint32_t number = first; number <= last; ++number)
      if (runtime.ask<unsigned char>(device, "supportsFamily:", static_cast<long>(number)) != 0)
        answers.families.push_back(GpuFamily{number});
  answers.max_threadgroup_memory = Bytes{runtime.ask<unsigned long>(device, "maxThreadgroupMemoryLength")};
  answers.recommended_max_working_set =
      known_size(runtime.ask<std::uint64_t>(device, "recommendedMaxWorkingSetSize"));
  answers.max_buffer_length = known_size(runtime.ask<unsigned long>(device, "maxBufferLength"));
  answers.unified_memory = runtime.ask<unsigned char>(device, "hasUnifiedMemory") != 0;
  return answers;
}

}  // namespace

Result<std::vector<DeviceAnswers>> ask_simulated_metal(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW);
  if (library == nullptr)
    return Finding{FindingId::no_metal, formatted("Metal cannot be opened: {}", ::dlerror()),
                   "build the simulated guest: make build"};
  const Runtime runtime{library};
  const auto copy_all = Runtime::function<Object (*)()>(library, "MTLCopyAllDevices");
  if (!runtime || copy_all == nullptr)
    return Finding{FindingId::no_metal, formatted("'{}' is no Metal", path),
                   "build the simulated guest: make build"};
  const Object devices = copy_all();
  std::vector<DeviceAnswers> answers;
  const auto count = runtime.ask<unsigned long>(devices, "count");
  for (unsigned long i = 0; i < count; ++i)
    answers.push_back(answers_of(runtime, runtime.ask<Object>(devices, "objectAtIndex:", i)));
  return answers;
}

KernelResult compute_on_simulated_metal(const std::string& path, const KernelCall& call) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW);
  if (library == nullptr) return KernelRefusal{KernelStage::device, ::dlerror()};
  const auto compute = Runtime::function<ComputeOnDefaultDevice*>(library, metal_client_function);
  if (compute == nullptr) return KernelRefusal{KernelStage::device, "no kernels can be run on it"};
  KernelResult result;
  compute(call, result);
  return result;
}

}  // namespace metal_unlock
