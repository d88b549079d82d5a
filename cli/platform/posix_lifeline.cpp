// SPDX-License-Identifier: MIT
#include "cli/platform/posix_system.hpp"

#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

/// A process that was killed tells nobody, but the system closes its end of the pipe.
void* wait_for_the_end(void* /*unused*/) {
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(lifeline_descriptor, &byte, 1);
    if (count > 0 || (count < 0 && errno == EINTR)) continue;
    if (count < 0) return nullptr;  // nobody gave us one
    if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
    ::_exit(1);
  }
}

}  // namespace

void PosixSystem::end_with_starter() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals are for the thread that does the work.
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread{};
  if (::pthread_create(&thread, nullptr, wait_for_the_end, nullptr) == 0) ::pthread_detach(thread);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace metal_unlock
