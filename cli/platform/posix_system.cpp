// SPDX-License-Identifier: MIT
#include "cli/platform/posix_system.hpp"

#include "cli/platform/writing.hpp"

#include <cerrno>
#include <csignal>
#include <optional>
#include <pwd.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

std::vector<std::string> entries_of(char** environment) {
  std::vector<std::string> entries;
  for (; environment != nullptr && *environment != nullptr; ++environment) entries.emplace_back(*environment);
  return entries;
}

int descriptor_of(Stream stream) { return stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO; }

/// NO_COLOR, then CLICOLOR_FORCE, then what the stream is.
bool wants_colour(const Environment& environment, bool is_terminal) {
  if (environment.get_non_empty("NO_COLOR")) return false;
  if (environment.get_non_empty("CLICOLOR_FORCE").value_or("0") != "0") return true;
  return is_terminal && environment.get("TERM").value_or("dumb") != "dumb";
}

bool names_utf8(const Environment& environment) {
  // The first of these that is set decides, as setlocale(3) has it; asking the C library would load locale
  // files.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const auto locale = environment.get_non_empty(name))
      return locale->find("UTF-8") != std::string_view::npos ||
             locale->find("utf8") != std::string_view::npos;
  return false;
}

}  // namespace

PosixSystem::PosixSystem(char** environment) : environment_(entries_of(environment)) {}

unsigned PosixSystem::user_number() const { return ::getuid(); }

std::string PosixSystem::home_folder() const {
  if (const auto home = environment_.get_non_empty("HOME")) return std::string{*home};
  const passwd* user = ::getpwuid(::getuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : std::string{};
}

Terminal PosixSystem::terminal(Stream stream) const {
  const int descriptor = descriptor_of(stream);
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  terminal.has_colour = wants_colour(environment_, terminal.is_terminal);
  terminal.has_unicode = names_utf8(environment_);
  winsize size{};
  if (terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    terminal.width = size.ws_col;
  return terminal;
}

bool PosixSystem::write(Stream stream, std::string_view text) {
  const SignalIgnored too_large{SIGXFSZ};
  // What is said about a start must not keep the target from it.
  std::optional<SignalIgnored> unread;
  if (stream == Stream::err) unread.emplace(SIGPIPE);
  // A reader that has seen enough is not a failure.
  return write_all(descriptor_of(stream), text) || errno == EPIPE;
}

}  // namespace metal_unlock
