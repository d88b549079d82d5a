// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/mach_file.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

struct MachSample {
  std::string name;
  std::string bytes;
};

/// Well-formed files that between them have everything that the reader looks at.
std::vector<MachSample> mach_samples();

/// What holds for every file that was read, however wrong it is: "" or the promise that is broken.
std::string broken_promise(const MachFile& file, std::uint64_t size);

}  // namespace metal_unlock
