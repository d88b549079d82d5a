// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <string>
#include <string_view>

// A folder is opened once and everything happens relative to that descriptor, so nobody can put another
// folder in its place between a check and a use.

namespace metal_unlock {

/// A shim-unplaced finding.
Finding unplaced(std::string_view sentence, std::string next);
Finding unplaced(std::string_view act, const std::string& path, int error);

/// The descriptor of a folder that is ours alone, made where it was missing; shim-unplaced where it is not,
/// or cannot be made, or could be replaced by another user: the loader will look for it by its path.
Result<int> open_private_folder(const std::string& path);

/// The same for a folder in one that is open: `path` is its whole path, of which only the last word is looked
/// up.
Result<int> open_private_folder_in(int outer, const std::string& path);

/// The same without making anything; -1 where there is no such folder.
int find_private_folder(const std::string& path);

/// Writes a file nobody else uses, and renames it into place: a reader sees the whole of it or nothing. A
/// process of its own does it, so that whoever kills this one leaves no part of a file behind. False and
/// errno where it fails.
bool write_private_file(int folder, const std::string& name, std::string_view bytes);

}  // namespace metal_unlock
