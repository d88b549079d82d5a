// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/private_folder.hpp"
#include "cli/platform/safe_path.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

constexpr const char* memory_name = "verdict.json";

/// The whole of a small file; nothing where it is larger, or cannot be read.
std::optional<std::string> whole_text(int file, std::size_t largest) {
  std::string text(largest + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t count = ::read(file, text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  if (length > largest) return std::nullopt;
  text.resize(length);
  return text;
}

}  // namespace

std::optional<std::string> PosixSystem::read_memory(Bytes largest) const {
  const Result<std::string> path = own_cache_folder();
  const Descriptor folder{path ? find_private_folder(*path) : -1};
  if (!folder) return std::nullopt;
  const Descriptor file{::openat(folder.get(), memory_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !ownership_fault(status).empty())
    return std::nullopt;
  return whole_text(file.get(), static_cast<std::size_t>(largest.count));
}

std::optional<Finding> PosixSystem::keep_memory(std::string_view text) {
  const auto unkept = [](const std::string& reason) {
    return Finding{FindingId::verdict_unkept, formatted("the verdict cannot be kept: {}", reason),
                   "check the folder, or set XDG_CACHE_HOME to one that can be written"};
  };
  const Result<std::string> path = own_cache_folder();
  if (!path) return unkept(path.finding().sentence);
  const Result<int> opened = open_private_folder(*path);
  if (!opened) return unkept(opened.finding().sentence);
  const Descriptor folder{*opened};
  if (write_private_file(folder.get(), memory_name, text)) return std::nullopt;
  return unkept(formatted("'{}/{}' cannot be written: {}", *path, memory_name, std::strerror(errno)));
}

Result<bool> PosixSystem::forget_memory() {
  const Result<std::string> path = own_cache_folder();
  const Descriptor folder{path ? find_private_folder(*path) : -1};
  if (!folder) return false;
  if (::unlinkat(folder.get(), memory_name, 0) == 0) return true;
  if (errno == ENOENT) return false;
  return Finding{FindingId::verdict_unkept,
                 formatted("'{}/{}' cannot be removed: {}", *path, memory_name, std::strerror(errno)),
                 "check the folder and its permissions"};
}

}  // namespace metal_unlock
