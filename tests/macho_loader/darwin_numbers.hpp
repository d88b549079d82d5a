// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// The numbers in which macOS differs from Linux. One without an equivalent ends the process.

namespace metal_unlock::macho {

/// The number that macOS has for an error of this system, and the reverse.
int darwin_error(int error);
int linux_error(int error);

int linux_open_flags(int flags);

/// Global is what macOS takes where neither scope is asked for.
int linux_dlopen_flags(int flags);

/// Only the events whose numbers are the same may be asked for.
void check_poll_events(short events);

/// Longest path, with its final zero.
inline constexpr std::size_t darwin_path_max = 1024;

}  // namespace metal_unlock::macho
