// SPDX-License-Identifier: MIT
#include "tests/cli/talking_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace metal_unlock {
namespace {

constexpr int longest_wait_in_ms = 60'000;

[[noreturn]] void become(const ProcessCommand& command, int input, int output) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) ::_exit(126);
  for (const auto& [name, setting] : command.environment) {
    if (setting)
      ::setenv(name.c_str(), setting->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  std::vector<char*> words;
  for (const std::string& word : command.argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

}  // namespace

TalkingProcess::TalkingProcess(const ProcessCommand& command) {
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe2");
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) become(command, input[0], output[1]);
  ::close(input[0]);
  ::close(output[1]);
  to_ = input[1];
  from_ = output[0];
  first_line_ = read_line();
}

TalkingProcess::~TalkingProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (to_ >= 0) ::close(to_);
  ::close(from_);
}

void TalkingProcess::write_line(const std::string& line) const {
  const std::string text = line + "\n";
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("the program does not read '" + line + "'");
}

std::string TalkingProcess::read_line() {
  while (buffer_.find('\n') == std::string::npos) {
    pollfd wait{from_, POLLIN, 0};
    if (::poll(&wait, 1, longest_wait_in_ms) <= 0) throw std::runtime_error("the program says nothing");
    std::array<char, 512> part{};
    const ssize_t count = ::read(from_, part.data(), part.size());
    if (count <= 0) throw std::runtime_error("the program has ended");
    buffer_.append(part.data(), static_cast<std::size_t>(count));
  }
  const std::string line = buffer_.substr(0, buffer_.find('\n'));
  buffer_.erase(0, line.size() + 1);
  return line;
}

std::string TalkingProcess::ask(const std::string& line) {
  write_line(line);
  return read_line();
}

int TalkingProcess::finish() {
  if (to_ >= 0) ::close(std::exchange(to_, -1));
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace metal_unlock
