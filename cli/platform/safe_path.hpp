// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/stat.h>

namespace metal_unlock {

/// Why a file or folder can have been changed by somebody but us; empty: it cannot.
std::string ownership_fault(const struct stat& status);

/// Why another user could put something else where this path leads, from a folder above it or from a link on
/// the way:
/// "'/shared' can be written by other users"; empty: nobody could. What the path itself names is not looked
/// at.
std::string fault_above(const std::string& path);

}  // namespace metal_unlock
