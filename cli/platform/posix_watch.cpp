// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/writing.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A library that the loader dropped cannot say so: somebody has to notice its silence. That is a process of
// its own, not a child of the target, in no process group of the target's, holding none of its descriptors
// but stderr.

namespace metal_unlock {
namespace {

/// The shim writes its first event from its constructor, long before a program does anything slow.
constexpr int longest_silence_in_ms = 10'000;

std::int64_t now_in_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

/// True as soon as the shim has reported from inside the target; false where the target ended, or time is up.
bool hears_from_shim(int descriptor) {
  const std::int64_t end = now_in_ms() + longest_silence_in_ms;
  while (true) {
    pollfd wait{descriptor, POLLIN, 0};
    const int events = ::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(0, end - now_in_ms())));
    if (events < 0 && errno == EINTR) continue;
    if (events <= 0) return false;
    std::array<char, 512> part{};
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    return count > 0;
  }
}

void close_all_but(int kept) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536));
  for (int descriptor = 0; descriptor < end; ++descriptor)
    if (descriptor != kept && descriptor != STDERR_FILENO) ::close(descriptor);
}

/// The same file at a number that is as high as the limit on open files allows, or -1.
int free_descriptor_for(int file) {
  int number = -1;
  for (const int lowest : {100, 20, STDERR_FILENO + 1})
    if (number < 0) number = ::fcntl(file, F_DUPFD, lowest);
  return number;
}

[[noreturn]] void keep_watch(int descriptor, pid_t target, const Watch& watch) {
  ::setsid();
  close_all_but(descriptor);
  // Whether its words arrive or not, the target is ended.
  for (const int number : {SIGPIPE, SIGXFSZ}) static_cast<void>(std::signal(number, SIG_IGN));
  if (!hears_from_shim(descriptor)) {
    const std::string& words = watch.words;
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    if (watch.ends_target) ::kill(target, SIGTERM);
  }
  ::_exit(0);
}

}  // namespace

Result<int> PosixSystem::watch(const Watch& watch) {
  const auto unwatched = [](int error) {
    return Finding{FindingId::shim_silent,
                   formatted("nobody could hear whether the loader loads the shim: {}", std::strerror(error)),
                   "raise the limits on processes and open files: ulimit -n 256"};
  };
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return unwatched(errno);
  Descriptor read_end{ends[0]};
  Descriptor write_end{ends[1]};
  const pid_t target = ::getpid();
  const ChildrenAwaited awaited;
  const pid_t between = ::fork();
  if (between < 0) return unwatched(errno);
  if (between == 0) {
    // The watch is made by a process that ends at once, so the target is left without a child it does not
    // know of.
    write_end.close();
    const pid_t watcher = ::fork();
    if (watcher == 0) keep_watch(read_end.get(), target, watch);
    ::_exit(watcher < 0 ? 1 : 0);
  }
  int status = 0;
  if (again_after_signals([&] { return ::waitpid(between, &status, 0); }) < 0) return unwatched(errno);
  if (status != 0) return unwatched(EAGAIN);
  // Out of the way of the numbers that programs expect, and open across exec: the shim writes to it.
  const int descriptor = free_descriptor_for(write_end.get());
  return descriptor < 0 ? Result<int>{unwatched(errno)} : Result<int>{descriptor};
}

void PosixSystem::end_watch(int descriptor) {
  write_all(descriptor, "\n");
  ::close(descriptor);
}

}  // namespace metal_unlock
