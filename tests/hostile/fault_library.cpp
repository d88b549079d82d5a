// SPDX-License-Identifier: MIT

// Preloaded into metal-unlock: counts the calls by which it writes files, and makes one of them go wrong. In
// every other program, the target first of all, it does nothing.

#include "tests/hostile/fault_board.hpp"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

FaultBoard* board = nullptr;
bool has_started = false;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void find_board() {
  const char* const path = std::getenv(fault_board_variable);
  if (path == nullptr || std::string_view{program_invocation_short_name} != "metal-unlock") return;
  const int file = next<int(const char*, int, ...)>("open")(path, O_RDWR | O_CLOEXEC);
  void* const place = mmap(nullptr, sizeof(FaultBoard), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  next<int(int)>("close")(file);
  if (place != MAP_FAILED) board = static_cast<FaultBoard*>(place);
}

/// Some calls are never interrupted, and only a write can be short.
bool can_go_wrong(std::string_view call) {
  const auto kind = static_cast<FaultKind>(board->kind);
  if (kind == FaultKind::short_write) return call == "write";
  if (kind == FaultKind::failure && board->error == EINTR)
    return call == "write" || call == "open" || call == "openat" || call == "fsync";
  return true;
}

/// Counts the call. True with errno where it is the one that is to go wrong.
bool strikes(const char* call, const char* path) {
  if (board == nullptr) return false;
  if (path != nullptr && std::strstr(path, board->start) != nullptr) has_started = true;
  if ((!has_started && board->start[0] != '\0') || !can_go_wrong(call)) return false;
  if (__atomic_add_fetch(&board->calls, 1, __ATOMIC_SEQ_CST) != board->wanted) return false;
  ++board->struck;
  std::snprintf(board->call, sizeof board->call, "%s %s", call,
                path == nullptr ? "" : path + std::strlen(path) / 2);
  if (board->kind == static_cast<int>(FaultKind::kill)) kill(getpid(), SIGKILL);
  errno = board->error;
  return true;
}

bool is_for_writing(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) != 0; }

bool is_written_file(int descriptor) {
  struct stat status {};
  return board != nullptr && descriptor > STDERR_FILENO && fstat(descriptor, &status) == 0 &&
         S_ISREG(status.st_mode) && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

mode_t mode_of(va_list arguments) { return va_arg(arguments, mode_t); }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? mode_of(arguments) : 0;
  va_end(arguments);
  if (is_for_writing(flags) && strikes("open", path)) return -1;
  return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? mode_of(arguments) : 0;
  va_end(arguments);
  if (is_for_writing(flags) && strikes("openat", path)) return -1;
  return next<int(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const auto real = next<ssize_t(int, const void*, size_t)>("write");
  if (!is_written_file(descriptor) || !strikes("write", nullptr)) return real(descriptor, bytes, count);
  if (board->kind != static_cast<int>(FaultKind::short_write)) return -1;
  return real(descriptor, bytes, count / 2);
}

int fsync(int descriptor) { return strikes("fsync", nullptr) ? -1 : next<int(int)>("fsync")(descriptor); }

int close(int descriptor) {
  const bool is_struck = is_written_file(descriptor) && strikes("close", nullptr);
  const int error = errno;
  const int result = next<int(int)>("close")(descriptor);
  if (is_struck) errno = error;
  return is_struck ? -1 : result;
}

int rename(const char* from, const char* to) noexcept {
  return strikes("rename", to) ? -1 : next<int(const char*, const char*)>("rename")(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  if (strikes("renameat", to)) return -1;
  return next<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder, to);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return strikes("mkdir", path) ? -1 : next<int(const char*, mode_t)>("mkdir")(path, mode);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return strikes("mkdirat", path) ? -1 : next<int(int, const char*, mode_t)>("mkdirat")(folder, path, mode);
}

pid_t fork() noexcept { return strikes("fork", nullptr) ? -1 : next<pid_t()>("fork")(); }
}
