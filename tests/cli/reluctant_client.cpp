// SPDX-License-Identifier: MIT

// A program whose environment nobody may change: with "leave" it ends with status 7 instead, with "wait" it
// never comes back. It answers each line of its stdin with "here".

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace {
bool leaves = false;
}

extern "C" int setenv(const char* /*name*/, const char* /*value*/, int /*replaces*/) noexcept {
  if (leaves) _exit(7);
  while (true) pause();
}

int main(int count, char** words) {
  leaves = count > 1 && std::strcmp(words[1], "leave") == 0;
  std::printf("%d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  char line[64];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    std::puts("here");
    std::fflush(stdout);
  }
  return 0;
}
