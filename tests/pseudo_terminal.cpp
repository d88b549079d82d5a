// SPDX-License-Identifier: MIT
#include "tests/pseudo_terminal.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace metal_unlock {
namespace {

[[noreturn]] void become(const ProcessCommand& command) {
  for (const auto& [name, value] : command.environment) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) ::_exit(126);
  std::vector<char*> argv;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  ::_exit(127);
}

/// How many bytes the escape sequence at the front has; 0 where it is not complete.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] == ']') {  // up to BEL or ST
    const std::size_t end = text.find_first_of("\a\x1b", 2);
    if (end == std::string_view::npos) return 0;
    return text[end] == '\a' ? end + 1 : end + 2;
  }
  if (text[1] == '(' || text[1] == ')') return 3;
  if (text[1] != '[') return 2;
  std::size_t end = 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  return end < text.size() ? end + 1 : 0;
}

}  // namespace

PseudoTerminal::PseudoTerminal(const ProcessCommand& command, WindowSize window) : limit_(command.limit) {
  winsize size{window.rows, window.columns, 0, 0};
  child_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (child_ < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (child_ == 0) become(command);
}

PseudoTerminal::~PseudoTerminal() {
  if (child_ <= 0) return;
  ::kill(-child_, SIGKILL);
  ::kill(child_, SIGKILL);
  hang_up();
}

void PseudoTerminal::hang_up() {
  ::close(std::exchange(terminal_, -1));
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

void PseudoTerminal::resize(WindowSize window) const {
  const winsize size{window.rows, window.columns, 0, 0};
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void PseudoTerminal::type(std::string_view keys) const {
  while (!keys.empty()) {
    const ssize_t count = ::write(terminal_, keys.data(), keys.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "typing");
    keys.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool PseudoTerminal::wait_until(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + limit_;
  bool is_open = true;
  while (!is_so()) {
    if (!is_open || std::chrono::steady_clock::now() > end) return false;
    is_open = read_some(20);
  }
  return true;
}

bool PseudoTerminal::wait_for(std::string_view text) {
  return wait_until([&] { return shown().find(text) != std::string::npos; });
}

std::string PseudoTerminal::take_until(std::string_view text) {
  if (!wait_until([&] { return raw_.find(text) != std::string::npos; }))
    throw std::runtime_error("'" + std::string{text} + "' does not come: " + raw_);
  const std::size_t at = raw_.find(text);
  std::string before = raw_.substr(0, at);
  raw_.erase(0, at + text.size());
  return before;
}

std::string PseudoTerminal::line_after(std::string_view start) {
  take_until(start);
  return take_until("\r\n");
}

bool PseudoTerminal::read_some(int milliseconds) {
  pollfd waiting{terminal_, POLLIN, 0};
  if (::poll(&waiting, 1, milliseconds) <= 0) return true;
  std::array<char, 4096> part{};
  const ssize_t count = ::read(terminal_, part.data(), part.size());
  if (count > 0) raw_.append(part.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

std::string PseudoTerminal::shown() const {
  std::string text;
  std::string_view rest = raw_;
  while (!rest.empty()) {
    if (rest.front() != '\x1b') {
      text += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t length = sequence_length(rest);
    if (length == 0) break;
    rest.remove_prefix(std::min(length, rest.size()));
  }
  return text;
}

}  // namespace metal_unlock
