// SPDX-License-Identifier: MIT
#include "cli/platform/part_file.hpp"

#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/writing.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

/// A report that was made readable for its owner alone stays so.
bool keep_mode(int folder, const std::string& name, int file) {
  struct stat before {};
  constexpr mode_t permissions = 0777;
  if (::fstatat(folder, name.c_str(), &before, 0) != 0 || !S_ISREG(before.st_mode)) return true;
  return ::fchmod(file, before.st_mode & permissions) == 0;
}

}  // namespace

std::string part_of(const std::string& name, pid_t writer) { return formatted("{}.{}.part", name, writer); }

int error_of_writing(int folder, const std::string& name, std::string_view bytes, Readers readers) {
  const SignalIgnored too_large{SIGXFSZ};
  const std::string part = part_of(name, ::getpid());
  // One with our number is of a process that was killed.
  ::unlinkat(folder, part.c_str(), 0);
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const mode_t mode = readers == Readers::owner ? 0600 : 0644;
  Descriptor file{again_after_signals([&] { return ::openat(folder, part.c_str(), flags, mode); })};
  if (!file) return errno;
  const bool is_written = (readers == Readers::owner || keep_mode(folder, name, file.get())) &&
                          write_all(file.get(), bytes) &&
                          again_after_signals([&] { return ::fsync(file.get()); }) == 0 && file.close() &&
                          ::renameat(folder, part.c_str(), folder, name.c_str()) == 0;
  if (is_written) return 0;
  const int error = errno;
  ::unlinkat(folder, part.c_str(), 0);
  return error;
}

}  // namespace metal_unlock
