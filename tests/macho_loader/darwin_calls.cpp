// SPDX-License-Identifier: MIT
#include "tests/macho_loader/darwin_numbers.hpp"
#include "tests/macho_loader/image.hpp"
#include "tests/macho_loader/libraries.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <unistd.h>

extern char** environ;

// libSystem, as far as the shim uses it: every name and convention in which macOS differs from Linux.

namespace metal_unlock::macho {
namespace {

/// Passes a result on; where it says failure, errno gets the number that macOS has for the reason.
template <class Result>
Result passed_on(Result result) {
  if (result == static_cast<Result>(-1)) errno = darwin_error(errno);
  return result;
}

int open_file(const char* path, int flags, mode_t mode) {
  return passed_on(open(path, linux_open_flags(flags), mode));
}

int close_file(int file) { return passed_on(close(file)); }

ssize_t write_file(int file, const void* bytes, std::size_t size) {
  return passed_on(write(file, bytes, size));
}

int poll_files(pollfd* files, unsigned count, int milliseconds) {
  for (unsigned i = 0; i < count; ++i) check_poll_events(files[i].events);
  return passed_on(poll(files, count, milliseconds));
}

void* open_library(const char* path, int flags) {
  return open_any(stand_in_for(path), linux_dlopen_flags(flags));
}

void* symbol_in_library(void* library, const char* name) {
  if (library == nullptr) return nullptr;
  if (library == reinterpret_cast<void*>(-2)) return dlsym(RTLD_DEFAULT, name);
  if (is_image(library) || reinterpret_cast<std::intptr_t>(library) < 0)
    give_up("this loader looks symbols up in Linux libraries only");
  return dlsym(library, name);
}

/// Needs room for the final zero, and says how much where there is not enough.
int executable_path(char* into, std::uint32_t* size) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0) give_up("the path of the program is unknown");
  const auto needed = static_cast<std::uint32_t>(length) + 1;
  const bool fits = needed <= *size;
  if (fits) {
    std::memcpy(into, path, needed - 1);
    into[needed - 1] = '\0';
  }
  *size = fits ? *size : needed;
  return fits ? 0 : -1;
}

/// Paths are shorter on macOS, and so may the buffer be.
char* real_path(const char* path, char* into) {
  char resolved[PATH_MAX];
  if (realpath(path, resolved) == nullptr) {
    errno = darwin_error(errno);
    return nullptr;
  }
  if (std::strlen(resolved) >= darwin_path_max) {
    errno = darwin_error(ENAMETOOLONG);
    return nullptr;
  }
  return into == nullptr ? strdup(resolved) : std::strcpy(into, resolved);
}

char*** environment() { return &environ; }

[[noreturn]] void bind_lazily() { give_up("a symbol was to be bound lazily"); }

std::uint64_t stack_guard = 0x00c3a5f09be1d278;

}  // namespace
}  // namespace metal_unlock::macho

// On arm64 macOS passes what stands for `...` on the stack, Linux in registers.
#if defined(__aarch64__)
extern "C" {
__attribute__((visibility("hidden"))) int macho_open_with_list(const char* path, int flags,
                                                               const mode_t* list) {
  return metal_unlock::macho::open_file(path, flags, *list);
}
void macho_open();
}
asm(R"(
  .text
  .globl macho_open
  .hidden macho_open
  .type macho_open, %function
macho_open:
  mov x2, sp
  b macho_open_with_list
  .size macho_open, . - macho_open
)");
#else
extern "C" __attribute__((visibility("hidden"))) int macho_open(const char* path, int flags, mode_t mode) {
  return metal_unlock::macho::open_file(path, flags, mode);
}
#endif

namespace metal_unlock::macho {

const std::vector<Symbol>& differing_in_libsystem() {
  static const std::vector<Symbol> symbols{
      {"_NSGetEnviron", reinterpret_cast<void*>(environment)},
      {"_NSGetExecutablePath", reinterpret_cast<void*>(executable_path)},
      {"__bzero", reinterpret_cast<void*>(bzero)},
      {"__error", reinterpret_cast<void*>(__errno_location)},
      {"__stack_chk_guard", &stack_guard},
      {"close", reinterpret_cast<void*>(close_file)},
      {"dlopen", reinterpret_cast<void*>(open_library)},
      {"dlsym", reinterpret_cast<void*>(symbol_in_library)},
      {"dyld_stub_binder", reinterpret_cast<void*>(bind_lazily)},
      {"open", reinterpret_cast<void*>(macho_open)},
      {"poll", reinterpret_cast<void*>(poll_files)},
      {"realpath$DARWIN_EXTSN", reinterpret_cast<void*>(real_path)},
      {"write", reinterpret_cast<void*>(write_file)},
  };
  return symbols;
}

// They fail, if at all, with error numbers that are the same. `pthread_self` is compared only.
const std::vector<const char*>& same_in_libsystem() {
  static const std::vector<const char*> names{
      "__memcpy_chk", "__memmove_chk", "__stack_chk_fail", "__strcpy_chk", "_exit",    "bzero",
      "free",         "getenv",        "getrlimit",        "lseek",        "memcmp",   "memcpy",
      "memmove",      "memset",        "pthread_self",     "setenv",       "strcmp",   "strcspn",
      "strdup",       "strlen",        "strncmp",          "strnlen",      "unsetenv",
  };
  return names;
}

}  // namespace metal_unlock::macho
