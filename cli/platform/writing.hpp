// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstddef>
#include <signal.h>
#include <string_view>
#include <unistd.h>

namespace metal_unlock {

/// What a call returned that no signal came between: `again_after_signals([&] { return ::fsync(file); })`.
template <class Call>
auto again_after_signals(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Writes all of it, whatever signals come; false and errno where that fails.
inline bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        again_after_signals([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    // A device that takes nothing would be asked for ever.
    if (count == 0) errno = EIO;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Where whoever started us ignores the end of children, the system keeps no status of ours. For as long as
/// one of these lives it does.
class ChildrenAwaited {
 public:
  ChildrenAwaited() {
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, nullptr, &before_);
    if (before_.sa_handler == SIG_IGN || (before_.sa_flags & SA_NOCLDWAIT) != 0)
      ::sigaction(SIGCHLD, &usual, nullptr);
  }
  ~ChildrenAwaited() { ::sigaction(SIGCHLD, &before_, nullptr); }
  ChildrenAwaited(const ChildrenAwaited&) = delete;
  ChildrenAwaited& operator=(const ChildrenAwaited&) = delete;

 private:
  struct sigaction before_ {};
};

/// Ignores a signal for as long as it lives, so that the call which would send it fails instead: SIGXFSZ of a
/// write beyond the limit on the size of files, SIGPIPE of one that nobody reads.
class SignalIgnored {
 public:
  explicit SignalIgnored(int number) : number_(number) {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(number_, &ignore, &before_);
  }
  ~SignalIgnored() { ::sigaction(number_, &before_, nullptr); }
  SignalIgnored(const SignalIgnored&) = delete;
  SignalIgnored& operator=(const SignalIgnored&) = delete;

 private:
  int number_;
  struct sigaction before_ {};
};

}  // namespace metal_unlock
