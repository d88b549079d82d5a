// SPDX-License-Identifier: MIT
#include "cli/platform/private_folder.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/writing.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

constexpr mode_t private_folder = 0700;
constexpr mode_t private_file = 0600;

/// Makes a folder and its missing parents. Ours, the last, is private from its first moment.
bool make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST) return true;
  const std::size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == 0 || slash == std::string::npos) return false;
  if (!make_folders(path.substr(0, slash))) return false;
  return ::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST;
}

/// 0, or errno.
int error_of_writing(int folder, const std::string& name, std::string_view bytes) {
  const FileSizeSignalIgnored no_signal;
  const std::string part = formatted("{}.{}.part", name, ::getpid());
  ::unlinkat(folder, part.c_str(), 0);
  Descriptor file{
      ::openat(folder, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, private_file)};
  const bool is_written = file && write_all(file.get(), bytes) && ::fsync(file.get()) == 0 && file.close() &&
                          ::renameat(folder, part.c_str(), folder, name.c_str()) == 0;
  if (is_written) return 0;
  const int error = errno;
  ::unlinkat(folder, part.c_str(), 0);
  return error;
}

int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

}  // namespace

Finding unplaced(std::string_view sentence, std::string next) {
  return {FindingId::shim_unplaced, std::string{sentence}, std::move(next)};
}

Finding unplaced(std::string_view act, const std::string& path, int error) {
  return unplaced(formatted("cannot {} '{}': {}", act, path, std::strerror(error)),
                  "check the folder, or set XDG_CACHE_HOME to one that can be written");
}

std::string ownership_fault(const struct stat& status) {
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
  const std::string fault = ownership_fault(status);
  if (!fault.empty())
    return unplaced(formatted("'{}' {}", path, fault), formatted("rm -r {}", shell_word(path)));
  const int number = ::fcntl(folder.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (number < 0) return unplaced("open", path, errno);
  return number;
}

int find_private_folder(const std::string& path) {
  Descriptor folder{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  struct stat status {};
  if (!folder || ::fstat(folder.get(), &status) != 0 || !ownership_fault(status).empty()) return -1;
  return folder.release();
}

bool write_private_file(int folder, const std::string& name, std::string_view bytes) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t writer = ::fork();
  if (writer == 0) {
    // Out of reach for what is meant for our group or comes from our terminal.
    ::setsid();
    ::_exit(error_of_writing(folder, name, bytes));
  }
  const int error = writer < 0 ? error_of_writing(folder, name, bytes) : status_of(writer);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return error == 0;
}

}  // namespace metal_unlock
