// SPDX-License-Identifier: MIT
#include "cli/platform/private_folder.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/part_file.hpp"
#include "cli/platform/safe_path.hpp"
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
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Makes a folder and its missing parents. Ours, the last, is private from its first moment.
bool make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST) return true;
  const std::size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == 0 || slash == std::string::npos) return false;
  if (!make_folders(path.substr(0, slash))) return false;
  return ::mkdir(path.c_str(), private_folder) == 0 || errno == EEXIST;
}

/// 0, or errno, of the process that writes.
int error_of_writer(pid_t writer, int folder, const std::string& name) {
  int status = 0;
  if (again_after_signals([&] { return ::waitpid(writer, &status, 0); }) < 0) return errno;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  // Killed: nobody else tidies up after it.
  ::unlinkat(folder, part_of(name, writer).c_str(), 0);
  return EIO;
}

/// Opens what must be a folder of ours, at a number that no program expects to be a stream.
Result<int> checked_folder(int outer, const std::string& name, const std::string& path) {
  const Descriptor folder{again_after_signals([&] { return ::openat(outer, name.c_str(), folder_flags); })};
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

}  // namespace

Finding unplaced(std::string_view sentence, std::string next) {
  return {FindingId::shim_unplaced, std::string{sentence}, std::move(next)};
}

Finding unplaced(std::string_view act, const std::string& path, int error) {
  return unplaced(formatted("cannot {} '{}': {}", act, path, std::strerror(error)),
                  "check the folder, or set XDG_CACHE_HOME to one that can be written");
}

Result<int> open_private_folder(const std::string& path) {
  if (!make_folders(path)) return unplaced("make", path, errno);
  Result<int> folder = checked_folder(AT_FDCWD, path, path);
  if (!folder) return folder;
  if (const std::string fault = fault_above(path); !fault.empty()) {
    ::close(*folder);
    return unplaced(formatted("{}, so '{}' would not be safe there", fault, path),
                    "set XDG_CACHE_HOME to a folder of your own");
  }
  return folder;
}

Result<int> open_private_folder_in(int outer, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (::mkdirat(outer, name.c_str(), private_folder) != 0 && errno != EEXIST)
    return unplaced("make", path, errno);
  return checked_folder(outer, name, path);
}

int find_private_folder(const std::string& path) {
  Descriptor folder{again_after_signals([&] { return ::open(path.c_str(), folder_flags); })};
  struct stat status {};
  if (!folder || ::fstat(folder.get(), &status) != 0 || !ownership_fault(status).empty() ||
      !fault_above(path).empty())
    return -1;
  return folder.release();
}

bool write_private_file(int folder, const std::string& name, std::string_view bytes) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  const ChildrenAwaited awaited;
  const pid_t writer = ::fork();
  if (writer == 0) {
    // Out of reach for what is meant for our group or comes from our terminal.
    ::setsid();
    ::_exit(error_of_writing(folder, name, bytes, Readers::owner));
  }
  const int error = writer < 0 ? error_of_writing(folder, name, bytes, Readers::owner)
                               : error_of_writer(writer, folder, name);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return error == 0;
}

}  // namespace metal_unlock
