// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// The folders of one machine below which files may be written.
struct WritingPlaces {
  std::string cache;      ///< ours, below the user's caches; empty: none
  std::string shim_name;  ///< of the shim's file
  std::string home;       ///< of the user; empty: none
  std::string prefix;     ///< below which this program is installed; empty: it is not in a folder "bin"
};

/// A file that may be written.
struct WrittenPath {
  std::string path;  ///< words in capitals stand for names; a folder, with all it holds, ends in a slash
  std::string what;  ///< one clause
  std::string written_by;  ///< the commands
  bool is_named = false;   ///< by the user, on the command line

  bool operator==(const WrittenPath&) const = default;
};

/// Every file that this program, or its installation, may ever write.
std::vector<WrittenPath> written_paths(const WritingPlaces& places);

}  // namespace metal_unlock
