// SPDX-License-Identifier: MIT
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/embedded_shim.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/writing.hpp"

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

// The folder is opened once and everything happens relative to that descriptor, so nobody can put another
// folder in its place between a check and a use.

namespace metal_unlock {
namespace {

constexpr mode_t private_folder = 0700;
constexpr mode_t private_file = 0600;

Finding unplaced(std::string_view sentence, std::string next) {
  return {FindingId::shim_unplaced, std::string{sentence}, std::move(next)};
}

Finding unplaced(std::string_view act, const std::string& path, int error) {
  return unplaced(formatted("cannot {} '{}': {}", act, path, std::strerror(error)),
                  "check the folder, or set XDG_CACHE_HOME to one that can be written");
}

/// Makes a folder and its missing parents. Ours, the last, is private from its first moment.
bool make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST) return true;
  const std::size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == 0 || slash == std::string::npos) return false;
  if (!make_folders(path.substr(0, slash))) return false;
  return ::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST;
}

/// Whether a file or folder can have been changed by nobody but us; says why not.
std::string fault_of(const struct stat& status) {
  if (status.st_uid != ::geteuid()) return "belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by other users";
  return {};
}

Result<int> open_private_folder(const std::string& path) {
  if (!make_folders(path)) return unplaced("make", path, errno);
  Descriptor folder{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (!folder) {
    if (errno == ELOOP || errno == ENOTDIR)
      return unplaced(formatted("'{}' is not a folder of its own", path),
                      formatted("rm {}", shell_word(path)));
    return unplaced("open", path, errno);
  }
  struct stat status {};
  if (::fstat(folder.get(), &status) != 0) return unplaced("look at", path, errno);
  const std::string fault = fault_of(status);
  if (!fault.empty())
    return unplaced(formatted("'{}' {}", path, fault), formatted("rm -r {}", shell_word(path)));
  const int number = ::fcntl(folder.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (number < 0) return unplaced("open", path, errno);
  return number;
}

/// Compares a placed file with the embedded bytes, and refuses one that somebody else can change.
bool holds_the_shim(int folder, const std::string& name) {
  const Descriptor file{::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return false;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !fault_of(status).empty())
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

/// Writes a file nobody else uses, and renames it into place: a reader sees the whole of it or nothing.
bool write_shim(int folder, const std::string& name) {
  const FileSizeSignalIgnored no_signal;
  const std::string part = formatted("{}.{}.part", name, ::getpid());
  ::unlinkat(folder, part.c_str(), 0);
  Descriptor file{
      ::openat(folder, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, private_file)};
  const bool is_written = file && write_all(file.get(), embedded_shim()) && ::fsync(file.get()) == 0 &&
                          file.close() && ::renameat(folder, part.c_str(), folder, name.c_str()) == 0;
  if (is_written) return true;
  const int error = errno;
  ::unlinkat(folder, part.c_str(), 0);
  errno = error;
  return false;
}

}  // namespace

Result<std::string> PosixSystem::shim_location() const {
  const std::string cache = cache_folder();
  if (!cache.starts_with('/'))
    return unplaced("there is no home folder to keep the shim in",
                    "set HOME, or XDG_CACHE_HOME, to an absolute path");
  return formatted("{}/metal-unlock/{}/{}", cache, embedded_shim_digest(), loader().shim_name);
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
  const Result<int> folder = open_private_folder(path);
  if (!folder) return folder.finding();
  const Descriptor owner{*folder};
  if (!permits_code(owner.get()))
    return unplaced(
        formatted("no program code can be loaded from '{}': its file system is mounted noexec", path),
        "set XDG_CACHE_HOME to a folder of another file system");
  if (holds_the_shim(owner.get(), name)) return *location;
  if (!write_shim(owner.get(), name)) return unplaced("write", *location, errno);
  if (!holds_the_shim(owner.get(), name))
    return unplaced(formatted("'{}' is not what was written to it", *location),
                    formatted("rm -r {}", shell_word(path)));
  return *location;
}

}  // namespace metal_unlock
