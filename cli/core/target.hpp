// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

enum class FileKind : std::uint8_t { missing, regular, directory, other };

/// What is known of a file without opening it.
struct FileFacts {
  FileKind kind = FileKind::missing;
  bool is_executable = false;     ///< by this user, as access(X_OK) says
  bool changes_identity = false;  ///< set-user-id or set-group-id
  bool operator==(const FileFacts&) const = default;
};

/// What resolving a target asks of the file system.
class FileLookup {
 public:
  virtual ~FileLookup() = default;
  virtual FileFacts facts(const std::string& path) const = 0;
  /// Names in a folder; empty where it cannot be read.
  virtual std::vector<std::string> names_in(const std::string& folder) const = 0;
};

/// The file that a command means.
struct Target {
  std::string word;  ///< as typed
  std::string file;  ///< what is executed
  FileFacts facts;
  bool operator==(const Target&) const = default;
};

/// Searches as execvp(3): a word with a slash is a path; else the first executable file on `path`, where an
/// empty entry is the current folder. Findings: not-found (127), not-executable (126).
Result<Target> resolve_target(const std::string& word, std::string_view path, const FileLookup& files);

}  // namespace metal_unlock
