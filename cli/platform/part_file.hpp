// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

// A file is written under another name, synced, and renamed: a reader sees the whole of it, or what was there
// before.

namespace metal_unlock {

/// The name that a file has while this process writes it.
std::string part_of(const std::string& name, pid_t writer);

/// Writes a file below an open folder (AT_FDCWD: where the name leads) with this mode, less the file mode
/// mask. What was there before is replaced, its own mode kept; where that fails it is untouched, and no part
/// is left. 0, or errno.
int error_of_writing(int folder, const std::string& name, std::string_view bytes, mode_t mode);

}  // namespace metal_unlock
