// SPDX-License-Identifier: MIT

// A program that cares about its terminal. Without words it says where it stands, and answers what is typed:
//   size     rows and columns
//   where    its number, its group, the group in the foreground, the names of its three streams
//   leave N  ends with that status
// It says its size anew whenever that changes. With the word "signals" it says which signals are blocked and
// ignored, and ends.

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

volatile std::sig_atomic_t is_resized = 0;

extern "C" void notice(int /*number*/) { is_resized = 1; }

void say_size() {
  winsize size{};
  ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
  std::printf("size %dx%d.\n", size.ws_row, size.ws_col);
}

const char* name_of(int stream) { return isatty(stream) != 0 ? ttyname(stream) : "none"; }

void say_where() {
  std::printf("stands %d %d %d\n", static_cast<int>(getpid()), static_cast<int>(getpgrp()),
              static_cast<int>(tcgetpgrp(STDIN_FILENO)));
  std::printf("streams %s", name_of(0));
  std::printf(" %s", name_of(1));
  std::printf(" %s\n", name_of(2));
}

int say_signals() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  char line[256];
  while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr)
    if (std::strncmp(line, "SigBlk", 6) == 0 || std::strncmp(line, "SigIgn", 6) == 0)
      std::fputs(line, stdout);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::strcmp(words[1], "signals") == 0) return say_signals();
  struct sigaction action {};
  action.sa_handler = notice;
  sigaction(SIGWINCH, &action, nullptr);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  say_where();
  // The signal comes while the program waits, never between a look and the wait.
  sigset_t while_waiting;
  sigset_t changes;
  sigemptyset(&changes);
  sigaddset(&changes, SIGWINCH);
  sigprocmask(SIG_BLOCK, &changes, &while_waiting);
  char line[64];
  while (true) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (ppoll(&input, 1, nullptr, &while_waiting) < 0 && is_resized != 0) {
      is_resized = 0;
      say_size();
      continue;
    }
    const ssize_t length = read(STDIN_FILENO, line, sizeof line - 1);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return 0;
    line[length] = '\0';
    if (std::strncmp(line, "size", 4) == 0) say_size();
    if (std::strncmp(line, "where", 5) == 0) say_where();
    if (std::strncmp(line, "leave", 5) == 0) return std::atoi(line + 5);
  }
}
