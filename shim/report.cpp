// SPDX-License-Identifier: MIT
#include "shim/report.hpp"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

namespace metal_unlock::shim {
namespace {

const char* report_file = "";
int report_descriptor = -1;
uint64_t constructor_thread = 0;

bool has_descriptor() { return this_thread() == constructor_thread && report_descriptor >= 0; }

/// A write to a pipe without a reader would end the process, and one to a full pipe would stop it.
bool accepts_a_line(int descriptor) {
  pollfd state{descriptor, POLLOUT, 0};
  return poll(&state, 1, 0) == 1 && state.revents == POLLOUT;
}

/// A write beyond the limit on the size of files would end the process as well.
bool is_writable(int descriptor, size_t length) {
  pollfd state{descriptor, POLLOUT, 0};
  if (poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0) return false;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  const off_t end = lseek(descriptor, 0, descriptor == STDERR_FILENO ? SEEK_CUR : SEEK_END);
  return end < 0 || static_cast<uint64_t>(end) + length <= limit.rlim_cur;
}

}  // namespace

uint64_t this_thread() noexcept { return reinterpret_cast<uint64_t>(pthread_self()); }

Line& Line::add(char letter) noexcept {
  if (length_ + 1 < sizeof text_) {
    text_[length_++] = letter;
  } else {
    overflowed_ = true;
  }
  return *this;
}

Line& Line::add(const char* text) noexcept {
  for (; *text != '\0'; ++text) add(*text);
  return *this;
}

Line& Line::add(uint64_t number) noexcept {
  char digits[20];
  size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) add(digits[--count]);
  return *this;
}

void Line::write_to(int descriptor) noexcept {
  const int error = errno;
  if (overflowed_ || !is_writable(descriptor, length_ + 1)) {
    errno = error;
    return;
  }
  text_[length_] = '\n';
  const ssize_t written = write(descriptor, text_, length_ + 1);
  static_cast<void>(written);
  errno = error;
}

Event::Event(const char* name) noexcept {
  line_.add('{');
  text("event", name);
}

Event& Event::text(const char* name, const char* text) noexcept {
  key(name);
  quote(text);
  return *this;
}

Event& Event::number(const char* name, uint64_t number) noexcept {
  key(name);
  line_.add(number);
  return *this;
}

Event& Event::truth(const char* name, bool truth) noexcept {
  key(name);
  line_.add(truth ? "true" : "false");
  return *this;
}

Event& Event::item(const char* text) noexcept {
  separate();
  quote(text);
  return *this;
}

Event& Event::open(const char* name, char bracket) noexcept {
  key(name);
  line_.add(bracket);
  return *this;
}

Event& Event::close(char bracket) noexcept {
  line_.add(bracket);
  return *this;
}

void Event::key(const char* name) noexcept {
  separate();
  quote(name);
  line_.add(':');
}

void Event::separate() noexcept {
  if (line_.last() != '{' && line_.last() != '[') line_.add(',');
}

void Event::quote(const char* text) noexcept {
  constexpr char hex[] = "0123456789abcdef";
  line_.add('"');
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x7f) {
      line_.add("\\u00").add(hex[byte >> 4]).add(hex[byte & 15]);
    } else {
      line_.add(*text);
    }
  }
  line_.add('"');
}

void Event::send() noexcept {
  line_.add('}');
  const int error = errno;
  if (has_descriptor() && accepts_a_line(report_descriptor)) line_.write_to(report_descriptor);
  if (*report_file != '\0') {
    const int file = ::open(report_file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file >= 0) {
      line_.write_to(file);
      ::close(file);
    }
  }
  errno = error;
}

void begin_report(const char* file, int descriptor) noexcept {
  report_file = file;
  report_descriptor = descriptor;
  constructor_thread = this_thread();
}

bool is_reporting() noexcept { return *report_file != '\0' || has_descriptor(); }

void close_report_descriptor() noexcept {
  if (report_descriptor >= 0) ::close(report_descriptor);
  report_descriptor = -1;
}

}  // namespace metal_unlock::shim
