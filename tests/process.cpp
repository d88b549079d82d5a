// SPDX-License-Identifier: MIT
#include "tests/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace metal_unlock {
namespace {

using Clock = std::chrono::steady_clock;

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// A descriptor that no started program inherits by accident.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) { fcntl(number_, F_SETFD, FD_CLOEXEC); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  void reset() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) check(errno, "pipe");
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
  }
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Stdin is a file: a program that does not read it can then neither block the test nor end it with SIGPIPE.
File file_with(const std::string& text) {
  File file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0 ||
      fcntl(fileno(file.get()), F_SETFD, FD_CLOEXEC) != 0) {
    check(errno, "tmpfile");
  }
  return file;
}

std::vector<std::string> changed_environment(const ProcessCommand& command) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!command.environment.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : command.environment) {
    if (value) result.push_back(name + "=" + *value);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// The settings of posix_spawn, released at the end of the scope.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnSettings() {
    check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
    check(posix_spawnattr_init(&attributes), "posix_spawnattr_init");
    // A process group of its own, so that the time limit reaches the children too.
    check(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP), "posix_spawnattr_setflags");
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void give(int from, int to) {
    check(posix_spawn_file_actions_adddup2(&actions, from, to), "posix_spawn_file_actions_adddup2");
  }
  void start_in(const std::filesystem::path& directory) {
    if (directory.empty()) return;
    check(posix_spawn_file_actions_addchdir_np(&actions, directory.c_str()), "addchdir_np");
  }
};

pid_t start(const ProcessCommand& command, int input, int out, int err) {
  SpawnSettings settings;
  settings.give(input, STDIN_FILENO);
  settings.give(out, STDOUT_FILENO);
  settings.give(err, STDERR_FILENO);
  settings.start_in(command.directory);
  std::vector<std::string> argv = command.argv;
  std::vector<std::string> environment = changed_environment(command);
  pid_t pid = 0;
  check(posix_spawnp(&pid, argv.at(0).c_str(), &settings.actions, &settings.attributes, pointers(argv).data(),
                     pointers(environment).data()),
        argv.at(0).c_str());
  return pid;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::max(left, std::chrono::milliseconds(0)).count());
}

/// Appends what is there to read; false at the end of the file.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 65536> block;
  const ssize_t count = read(descriptor, block.data(), block.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(block.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Reads both to their end; false where the deadline comes first.
bool read_both(const Descriptor& out, const Descriptor& err, Clock::time_point deadline, Outcome& outcome) {
  std::array<pollfd, 2> waiting{{{out.number(), POLLIN, 0}, {err.number(), POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
  // poll ignores negative descriptors: that marks the ones at their end.
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(deadline));
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) check(errno, "poll");
    if (ready < 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd >= 0 && waiting[i].revents != 0 && !read_some(waiting[i].fd, *texts[i]))
        waiting[i].fd = -1;
    }
  }
  return true;
}

/// True where the process ended before the deadline. It may close its output long before it ends.
bool wait_until(pid_t pid, Clock::time_point deadline, int& status) {
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR) check(errno, "waitpid");
    if (Clock::now() >= deadline) return false;
    poll(nullptr, 0, 1);
  }
}

}  // namespace

Outcome run_process(const ProcessCommand& command) {
  const Clock::time_point deadline = Clock::now() + command.limit;
  const File input = file_with(command.input);
  Pipe out;
  Pipe err;
  Outcome outcome;
  outcome.pid = start(command, fileno(input.get()), out.write_end.number(), err.write_end.number());
  out.write_end.reset();
  err.write_end.reset();

  int status = 0;
  const bool finished =
      read_both(out.read_end, err.read_end, deadline, outcome) && wait_until(outcome.pid, deadline, status);
  if (!finished) {
    outcome.timed_out = true;
    kill(-outcome.pid, SIGKILL);
    while (waitpid(outcome.pid, &status, 0) < 0 && errno == EINTR) continue;
  }
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace metal_unlock
