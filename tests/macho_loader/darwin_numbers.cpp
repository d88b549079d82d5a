// SPDX-License-Identifier: MIT
#include "tests/macho_loader/darwin_numbers.hpp"

#include "tests/macho_loader/load_error.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <string>

namespace metal_unlock::macho {
namespace {

struct Pair {
  int darwin;
  int linux_;
};

/// Beyond these two, the numbers up to 34 are the same.
constexpr Pair errors[] = {
    {11, EDEADLK},   {35, EAGAIN},    {36, EINPROGRESS}, {37, EALREADY},     {40, EMSGSIZE},
    {55, ENOBUFS},   {60, ETIMEDOUT}, {62, ELOOP},       {63, ENAMETOOLONG}, {66, ENOTEMPTY},
    {69, EDQUOT},    {70, ESTALE},    {77, ENOLCK},      {78, ENOSYS},       {84, EOVERFLOW},
    {89, ECANCELED}, {92, EILSEQ},    {102, EOPNOTSUPP}, {54, ECONNRESET},   {39, EDESTADDRREQ},
};
constexpr int last_common_error = 34;

constexpr Pair open_flags[] = {
    {0x1, O_WRONLY},     {0x2, O_RDWR},           {0x4, O_NONBLOCK},      {0x8, O_APPEND},
    {0x100, O_NOFOLLOW}, {0x200, O_CREAT},        {0x400, O_TRUNC},       {0x800, O_EXCL},
    {0x20000, O_NOCTTY}, {0x100000, O_DIRECTORY}, {0x1000000, O_CLOEXEC},
};

constexpr Pair dlopen_flags[] = {
    {0x1, RTLD_LAZY},   {0x2, RTLD_NOW},     {0x4, RTLD_LOCAL},
    {0x8, RTLD_GLOBAL}, {0x10, RTLD_NOLOAD}, {0x80, RTLD_NODELETE},
};
constexpr int darwin_rtld_local = 0x4;

/// The six events whose numbers are the same.
constexpr short common_poll_events = POLLIN | POLLPRI | POLLOUT | POLLERR | POLLHUP | POLLNVAL;

template <std::size_t size>
int translated(int flags, const Pair (&table)[size], const char* what) {
  int result = 0;
  for (const Pair& pair : table) {
    if ((flags & pair.darwin) == 0) continue;
    result |= pair.linux_;
    flags &= ~pair.darwin;
  }
  if (flags != 0)
    give_up(std::string("no equivalent of these flags of ") + what + ": " + std::to_string(flags));
  return result;
}

}  // namespace

int darwin_error(int error) {
  for (const Pair& pair : errors) {
    if (error == pair.linux_) return pair.darwin;
  }
  if (error > last_common_error) give_up("no equivalent of the error number " + std::to_string(error));
  return error;
}

int linux_error(int error) {
  for (const Pair& pair : errors) {
    if (error == pair.darwin) return pair.linux_;
  }
  if (error > last_common_error) give_up("no equivalent of the error number " + std::to_string(error));
  return error;
}

int linux_open_flags(int flags) { return translated(flags, open_flags, "open"); }

int linux_dlopen_flags(int flags) {
  const int scope = (flags & darwin_rtld_local) == 0 ? RTLD_GLOBAL : 0;
  return translated(flags, dlopen_flags, "dlopen") | scope;
}

void check_poll_events(short events) {
  if ((events & ~common_poll_events) != 0) give_up("no equivalent of these events of poll");
}

}  // namespace metal_unlock::macho
