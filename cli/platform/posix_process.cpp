// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/executing.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/writing.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

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

}  // namespace

Finding PosixSystem::replace_process(const Plan& plan) {
  restore_signals();
  return execution_failed(plan, execute(plan, environment().with(plan.change)));
}

Result<Captured> PosixSystem::capture(const Plan& plan) {
  const Environment changed = environment().with(plan.change);
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return execution_failed(plan, errno);
  const Descriptor read_end = out_of_the_way(ends[0]);
  Descriptor write_end = out_of_the_way(ends[1]);
  if (!read_end || !write_end) return execution_failed(plan, errno);
  const ChildrenAwaited awaited;
  const pid_t child = ::fork();
  if (child < 0) return execution_failed(plan, errno);
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
