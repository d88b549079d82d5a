// SPDX-License-Identifier: MIT
#include "tests/cli/pseudo_terminal.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace metal_unlock {
namespace {

constexpr int longest_wait_in_ms = 20'000;

[[noreturn]] void become(const ProcessCommand& command) {
  for (const auto& [name, setting] : command.environment) {
    if (setting)
      ::setenv(name.c_str(), setting->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  if (::chdir(command.directory.c_str()) != 0) ::_exit(126);
  std::vector<char*> words;
  for (const std::string& word : command.argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

}  // namespace

PseudoTerminal::PseudoTerminal(const ProcessCommand& command) {
  winsize size{24, 80, 0, 0};
  pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (pid_ == 0) become(command);
}

PseudoTerminal::~PseudoTerminal() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  hang_up();
}

void PseudoTerminal::type(std::string_view keys) const {
  if (::write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
    throw std::system_error(errno, std::generic_category(), "typing");
}

std::string PseudoTerminal::wait_for(std::string_view text) {
  while (screen_.find(text) == std::string::npos) {
    pollfd wait{terminal_, POLLIN, 0};
    std::array<char, 4096> part{};
    const bool is_there = ::poll(&wait, 1, longest_wait_in_ms) > 0;
    const ssize_t count = is_there ? ::read(terminal_, part.data(), part.size()) : -1;
    if (count <= 0) throw std::runtime_error("'" + std::string{text} + "' does not come: " + screen_);
    screen_.append(part.data(), static_cast<std::size_t>(count));
  }
  const std::size_t at = screen_.find(text);
  std::string before = screen_.substr(0, at);
  screen_.erase(0, at + text.size());
  return before;
}

std::string PseudoTerminal::line_after(std::string_view start) {
  wait_for(start);
  return wait_for("\r\n");
}

void PseudoTerminal::resize(unsigned short rows, unsigned short columns) const {
  const winsize size{rows, columns, 0, 0};
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void PseudoTerminal::hang_up() {
  ::close(std::exchange(terminal_, -1));
  ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace metal_unlock
