// SPDX-License-Identifier: MIT
#include "tests/cli/started_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

/// Catch2 has its handlers on some; in a child that has not become the program yet they would wait for ever.
void forget_handlers(const sigset_t& mask) {
  for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

[[noreturn]] void become(const ProcessCommand& command, const sigset_t& mask) {
  forget_handlers(mask);
  setpgid(0, 0);
  for (const auto& [name, value] : command.environment) {
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  }
  std::vector<char*> words;
  for (const std::string& word : command.argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) _exit(126);
  execv(words.front(), words.data());
  _exit(127);
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

StartedProcess::StartedProcess(const ProcessCommand& command) {
  sigset_t all;
  sigset_t mask;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask);
  pid_ = fork();
  if (pid_ == 0) become(command, mask);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

StartedProcess::~StartedProcess() {
  if (pid_ <= 0) return;
  send(SIGKILL);
  wait();
}

void StartedProcess::send(int signal) const { kill(pid_, signal); }

StartedProcess::End StartedProcess::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  End end;
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (text_of(entry.path() / "environ").find(text) != std::string::npos && std::stoi(name) != getpid())
      found.push_back(std::stoi(name));
  }
  return found;
}

bool runs_with(const std::string& text, const std::string& word) {
  for (const pid_t pid : processes_with(text))
    if (text_of("/proc/" + std::to_string(pid) + "/cmdline").find(word) != std::string::npos) return true;
  return false;
}

bool none_left_with(const std::string& text) {
  for (int i = 0; i < 1000; ++i) {
    if (processes_with(text).empty()) return true;
    wait_milliseconds(10);
  }
  return false;
}

void wait_milliseconds(int count) { poll(nullptr, 0, count); }

}  // namespace metal_unlock
