// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/gpu.hpp"

#include "tests/metal_stdlib/executor.hpp"

#include <algorithm>
#include <cstring>

#pragma GCC visibility push(default)
extern "C" {
metal_unlock::FindKernel simulated_gpu_find_kernel;
metal_unlock::RunKernel simulated_gpu_run_kernel;
}
#pragma GCC visibility pop

namespace metal_unlock {
namespace {

void say(char* trouble, std::string_view sentence) {
  const std::size_t size = std::min(sentence.size(), gpu_sentence_size - 1);
  sentence.copy(trouble, size);
  trouble[size] = '\0';
}

bool is_written(const gpu::Kernel& kernel, std::size_t buffer) {
  return (kernel.written >> buffer & 1U) != 0;
}

void write_zeros(const gpu::Kernel& kernel, const GpuCommand& command) {
  for (std::size_t i = 0; i < command.buffer_count; ++i)
    if (is_written(kernel, i)) std::memset(command.buffers[i], 0, command.sizes[i]);
}

gpu::Flaws flaws_of(const Faults& faults, std::string_view function) {
  const auto has = [&](FaultKind kind) { return find_fault(faults, kind, function) != nullptr; };
  const Fault* const memory = find_fault(faults, FaultKind::short_threadgroup_memory, function);
  return {.wrong_sum = has(FaultKind::wrong_sum),
          .wrong_shuffle = has(FaultKind::wrong_shuffle),
          .wrong_matrix = has(FaultKind::wrong_matrix),
          .threadgroup_memory = memory == nullptr ? 0 : static_cast<std::size_t>(memory->above)};
}

}  // namespace
}  // namespace metal_unlock

using namespace metal_unlock;

int simulated_gpu_find_kernel(const char* source, const char* function) {
  const auto all = gpu::kernels();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::strcmp(all[i].source, source) == 0 && std::strcmp(all[i].function, function) == 0)
      return static_cast<int>(i);
  return -1;
}

void simulated_gpu_run_kernel(int number, const GpuCommand& command, const Faults& faults, char* trouble) {
  const gpu::Kernel& kernel = gpu::kernels()[static_cast<std::size_t>(number)];
  trouble[0] = '\0';
  if (command.buffer_count < kernel.buffers) {
    say(trouble, "a buffer of the kernel is not bound");
    return;
  }
  if (find_fault(faults, FaultKind::zeros, kernel.function) != nullptr) {
    write_zeros(kernel, command);
    return;
  }
  const gpu::Dispatch dispatch{.threadgroups = command.threadgroups,
                               .threads = command.threads,
                               .threadgroup_memory = command.threadgroup_memory,
                               .flaws = flaws_of(faults, kernel.function)};
  say(trouble, gpu::execute(dispatch, [&](std::byte* shared) { kernel.run(command.buffers, shared); }));
}
