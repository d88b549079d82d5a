// SPDX-License-Identifier: MIT
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/embedded_shim.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/private_folder.hpp"
#include "cli/platform/safe_path.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/mount.h>
#else
#include <sys/statvfs.h>
#endif

namespace metal_unlock {
namespace {

/// Compares a placed file with the embedded bytes, and refuses one that somebody else can change.
bool holds_the_shim(int folder, const std::string& name) {
  const Descriptor file{::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return false;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !ownership_fault(status).empty())
    return false;
  const std::string_view shim = embedded_shim();
  if (static_cast<std::size_t>(status.st_size) != shim.size()) return false;
  std::array<char, 4096> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
  std::size_t done = 0;
  while (done < shim.size()) {
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (shim.substr(done, static_cast<std::size_t>(count)) !=
        std::string_view{part.data(), static_cast<std::size_t>(count)})
      return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// Whether the file system lets the loader map code; unknown counts as yes.
bool permits_code(int folder) {
#if defined(__APPLE__)
  struct statfs system {};
  return ::fstatfs(folder, &system) != 0 || (system.f_flags & MNT_NOEXEC) == 0;
#else
  struct statvfs system {};
  return ::fstatvfs(folder, &system) != 0 || (system.f_flag & ST_NOEXEC) == 0;
#endif
}

}  // namespace

Result<std::string> PosixSystem::own_cache_folder() const {
  const std::string cache = cache_folder();
  if (!cache.starts_with('/'))
    return unplaced("there is no home folder to keep the shim in",
                    "set HOME, or XDG_CACHE_HOME, to an absolute path");
  return cache + "/metal-unlock";
}

Result<std::string> PosixSystem::shim_location() const {
  const Result<std::string> folder = own_cache_folder();
  if (!folder) return folder.finding();
  return formatted("{}/{}/{}", *folder, embedded_shim_digest(), loader().shim_name);
}

Result<std::string> PosixSystem::place_shim() {
  const Result<std::string> location = shim_location();
  if (!location) return location.finding();
  const std::size_t slash = location->rfind('/');
  const std::string name = location->substr(slash + 1);
  const std::string path = location->substr(0, slash);
  // Both our folders are checked: who can write in the outer one can replace the inner one.
  const Result<int> outer = open_private_folder(path.substr(0, path.rfind('/')));
  if (!outer) return outer.finding();
  const Descriptor outer_owner{*outer};
  const Result<int> folder = open_private_folder_in(*outer, path);
  if (!folder) return folder.finding();
  const Descriptor owner{*folder};
  if (!permits_code(owner.get()))
    return unplaced(
        formatted("no program code can be loaded from '{}': its file system is mounted noexec", path),
        "set XDG_CACHE_HOME to a folder of another file system");
  if (holds_the_shim(owner.get(), name)) return *location;
  if (!write_private_file(owner.get(), name, embedded_shim())) return unplaced("write", *location, errno);
  if (!holds_the_shim(owner.get(), name))
    return unplaced(formatted("'{}' is not what was written to it", *location),
                    formatted("rm -r {}", shell_word(path)));
  return *location;
}

}  // namespace metal_unlock
