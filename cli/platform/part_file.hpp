// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

// A file is written under another name, synced, and renamed: a reader sees the whole of it, or what was there
// before.

namespace metal_unlock {

/// The name that a file has while this process writes it.
std::string part_of(const std::string& name, pid_t writer);

/// Who may read a file that is written.
enum class Readers : std::uint8_t {
  owner,      ///< alone, whatever was there before
  as_before,  ///< whoever could read what was there before; of a new file, whom the file mode mask permits
};

/// Writes a file below an open folder (AT_FDCWD: where the name leads). What was there before is replaced;
/// where that fails it is untouched, and no part is left. 0, or errno.
int error_of_writing(int folder, const std::string& name, std::string_view bytes, Readers readers);

}  // namespace metal_unlock
