// SPDX-License-Identifier: MIT
#include "tests/metal_stdlib/direct_compute.hpp"

#include "cli/platform/mapped_file.hpp"

#include <algorithm>

namespace metal_unlock {

KernelResult compute_with(const gpu::Kernel& kernel, const KernelCall& call) {
  // A kernel with a mistake may read a little beyond what it was given.
  constexpr std::size_t margin = 4096;
  std::vector<std::string> bytes;
  std::vector<std::optional<MappedFile>> maps;
  for (const KernelBuffer& buffer : call.buffers) {
    bytes.push_back(buffer.bytes + std::string(margin, '\0'));
    maps.push_back(buffer.is_mapped ? MappedFile::make(buffer) : std::nullopt);
    if (buffer.is_mapped && !maps.back()) return KernelRefusal{KernelStage::buffers, "no file can be mapped"};
  }
  std::vector<std::byte*> buffers;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    buffers.push_back(static_cast<std::byte*>(maps[i] ? maps[i]->address() : bytes[i].data()));
  const gpu::Dispatch dispatch{.threadgroups = call.threadgroups,
                               .threads = call.threads,
                               .threadgroup_memory = call.threadgroup_memory.count,
                               .flaws = {}};
  std::string trouble =
      gpu::execute(dispatch, [&](std::byte* shared) { kernel.run(buffers.data(), shared); });
  if (!trouble.empty()) return KernelRefusal{KernelStage::command, std::move(trouble)};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i].resize(call.buffers[i].bytes.size());
  return bytes;
}

KernelResult compute_directly(const KernelCall& call) {
  const auto all = gpu::kernels();
  const auto found = std::find_if(all.begin(), all.end(), [&](const gpu::Kernel& kernel) {
    return kernel.source == call.source && kernel.function == call.function;
  });
  if (found == all.end()) return KernelRefusal{KernelStage::library, "there is no such kernel"};
  return compute_with(*found, call);
}

}  // namespace metal_unlock
