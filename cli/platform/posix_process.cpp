// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/posix_system.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace metal_unlock {
namespace {

/// Null-terminated pointers into strings that outlive them, as exec wants.
std::vector<char*> pointers_to(std::span<const std::string> words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Whether a file can be meant for the shell: a zero byte in its first line is the mark of a program for
/// another machine, which a shell would read as gibberish.
bool may_be_script(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  std::array<char, 256> start{};
  const ssize_t count = file ? ::read(file.get(), start.data(), start.size()) : 0;
  const std::string_view text{start.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  return text.substr(0, text.find('\n')).find('\0') == std::string_view::npos;
}

/// execve, and like execvp hands a file without a known format to the shell.
int execute(const Plan& plan, const Environment& environment) {
  const std::vector<char*> entries = pointers_to(environment.entries());
  const std::vector<char*> words = pointers_to(plan.argv);
  ::execve(plan.file.c_str(), words.data(), entries.data());
  if (errno != ENOEXEC) return errno;
  if (!may_be_script(plan.file)) return ENOEXEC;
  std::vector<std::string> script{"/bin/sh", plan.file};
  if (plan.argv.size() > 1) script.insert(script.end(), plan.argv.begin() + 1, plan.argv.end());
  const std::vector<char*> script_words = pointers_to(script);
  ::execve(script.front().c_str(), script_words.data(), entries.data());
  return errno;
}

/// Above the standard streams, any of which may be closed, and out of a started program's sight.
Descriptor out_of_the_way(int number) {
  const Descriptor given{number};
  return Descriptor{::fcntl(given.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
}

Result<std::string> read_to_end(const Descriptor& from) {
  std::string all;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t count = ::read(from.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return Finding{FindingId::exec_failed, formatted("cannot read from a child: {}", std::strerror(errno)),
                     "try again"};
    if (count == 0) return all;
    all.append(part.data(), static_cast<std::size_t>(count));
  }
}

Finding failed(const Plan& plan, int error) {
  const FindingId id = error == ENOENT || error == ENOTDIR ? FindingId::not_found : FindingId::exec_failed;
  const char* next = error == E2BIG    ? "shorten the arguments or the environment"
                     : error == ENOENT ? "check the file, and the interpreter in its first line"
                                       : "check the file: it must be a program for this machine";
  return {id, formatted("cannot execute '{}': {}", plan.file, std::strerror(error)), next};
}

}  // namespace

Finding PosixSystem::replace_process(const Plan& plan) {
  return failed(plan, execute(plan, environment().with(plan.change)));
}

Result<Captured> PosixSystem::capture(const Plan& plan) {
  const Environment changed = environment().with(plan.change);
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return failed(plan, errno);
  const Descriptor read_end = out_of_the_way(ends[0]);
  Descriptor write_end = out_of_the_way(ends[1]);
  if (!read_end || !write_end) return failed(plan, errno);
  const pid_t child = ::fork();
  if (child < 0) return failed(plan, errno);
  if (child == 0) {
    ::dup2(write_end.get(), STDOUT_FILENO);
    execute(plan, changed);
    ::_exit(126);
  }
  write_end.close();
  Result<std::string> output = read_to_end(read_end);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!output) return output.finding();
  const int number = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return Captured{number, *std::move(output)};
}

}  // namespace metal_unlock
