// SPDX-License-Identifier: MIT

// A library for macOS that says how it finds libSystem. DARWIN_PROBE_FOLDER has a file `file`, a link `link`
// to it and a FIFO `fifo`. Each line is a number and what it is about; the numbers are those of macOS.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

void say(const char* about, long number) {
  char line[128];
  size_t used = 0;
  if (number < 0) line[used++] = '-';
  uint64_t rest = static_cast<uint64_t>(number < 0 ? -number : number);
  char digits[20];
  size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + rest % 10);
  } while ((rest /= 10) != 0);
  while (count > 0) line[used++] = digits[--count];
  line[used++] = ' ';
  memcpy(line + used, about, strlen(about));
  used += strlen(about);
  line[used++] = '\n';
  write(STDOUT_FILENO, line, used);
}

const char* in_folder(const char* name) {
  static char path[1024];
  memcpy(path, getenv("DARWIN_PROBE_FOLDER"), strlen(getenv("DARWIN_PROBE_FOLDER")) + 1);
  memcpy(path + strlen(path), name, strlen(name) + 1);
  return path;
}

/// 0, or why it did not work.
long opens(const char* name, int flags) {
  const int file = open(in_folder(name), flags, 0640);
  if (file < 0) return errno;
  if ((flags & O_ACCMODE) != O_RDONLY) write(file, "0123", 4);
  close(file);
  return 0;
}

void try_files() {
  say("create", opens("/made", O_WRONLY | O_CREAT | O_EXCL));
  say("create again", opens("/made", O_WRONLY | O_CREAT | O_EXCL));
  say("append", opens("/made", O_WRONLY | O_APPEND));
  say("cut", opens("/file", O_WRONLY | O_TRUNC));
  say("no link", opens("/link", O_RDONLY | O_NOFOLLOW));
  say("no folder", opens("/file", O_RDONLY | O_DIRECTORY));
  say("nobody reads", opens("/fifo", O_WRONLY | O_NONBLOCK));
  char name[400] = "/";
  memset(name + 1, 'x', sizeof name - 2);
  say("long name", opens(name, O_RDONLY));
  say("close", close(-1) == -1 ? errno : 0);
}

void try_full_pipe() {
  const int fifo = open(in_folder("/fifo"), O_RDWR | O_NONBLOCK);
  char block[4096] = {};
  pollfd state{fifo, POLLOUT, 0};
  say("room", poll(&state, 1, 0) == 1 && state.revents == POLLOUT);
  while (write(fifo, block, sizeof block) > 0) continue;
  say("full", errno);
  say("no room", poll(&state, 1, 0));
  close(fifo);
}

void try_paths() {
  char path[1024];
  uint32_t size = 4;
  say("short buffer", _NSGetExecutablePath(path, &size));
  const uint32_t needed = size;
  say("long buffer", _NSGetExecutablePath(path, &size));
  say("same size", needed == strlen(path) + 1);
  char real[1024];
  say("real", realpath(in_folder("/link"), real) != nullptr && strcmp(real, in_folder("/file")) == 0);
  say("not real", realpath(in_folder("/nothing"), real) == nullptr ? errno : 0);
}

void try_symbols() {
  say("default", dlsym(RTLD_DEFAULT, "getenv") != nullptr);
  say("no library", dlsym(dlopen("/nowhere", RTLD_LAZY), "getenv") != nullptr);
}

/// Leaves descriptor 9 open, for the program to see which of its children have it.
void keep_descriptor() {
  const int flags = getenv("DARWIN_PROBE_CLOSES") != nullptr ? O_RDONLY | O_CLOEXEC : O_RDONLY;
  while (open(in_folder("/file"), flags) < 9) continue;
}

using Try = void (*)();
const Try tries[] = {try_files, try_full_pipe, try_paths, try_symbols, keep_descriptor};

__attribute__((constructor(101))) void first() { say("first constructor", 1); }
__attribute__((constructor(102))) void second() {
  for (const Try step : tries) step();
  unsetenv("DYLD_INSERT_LIBRARIES");
}

}  // namespace
