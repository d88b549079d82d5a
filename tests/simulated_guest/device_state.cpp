// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/device_state.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace metal_unlock {
namespace {

Faults faults;
bool wedged_here = false;

const char* state_file() {
  const char* const path = std::getenv(gpu_state_variable);
  return path == nullptr || *path == '\0' ? nullptr : path;
}

Gpu open_gpu() {
  Dl_info self{};
  if (::dladdr(reinterpret_cast<const void*>(&open_gpu), &self) == 0) return {};
  const std::string own = self.dli_fname;
  const std::string path = own.substr(0, own.rfind('/') + 1) + gpu_library;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "Metal stand-in: no GPU: %s\n", ::dlerror());
    return {};
  }
  return {reinterpret_cast<FindKernel*>(::dlsym(library, find_kernel_name)),
          reinterpret_cast<RunKernel*>(::dlsym(library, run_kernel_name))};
}

}  // namespace

const Faults& device_faults() { return faults; }
void set_device_faults(Faults of_the_guest) { faults = std::move(of_the_guest); }

bool is_wedged() {
  const char* const path = state_file();
  return wedged_here || (path != nullptr && ::access(path, F_OK) == 0);
}

void wedge() {
  wedged_here = true;
  if (const char* const path = state_file()) ::close(::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

const Gpu& simulated_gpu() {
  static const Gpu gpu = open_gpu();
  return gpu;
}

}  // namespace metal_unlock
