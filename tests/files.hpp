// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// Where the programs under test were built, the source tree, and the folder of recorded guests.
std::filesystem::path build_directory();
std::filesystem::path source_directory();
std::filesystem::path guests_directory();

/// tests/guests/<name>.json
std::filesystem::path guest_file(std::string_view name);

/// Every recorded guest, sorted by name.
std::vector<std::filesystem::path> guest_files();

/// The whole file; throws where it cannot be read.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view text);

/// A directory of its own, removed with all its content at the end of the scope.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace metal_unlock
