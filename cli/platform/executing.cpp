// SPDX-License-Identifier: MIT
#include "cli/platform/executing.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <string_view>
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

}  // namespace

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

Finding execution_failed(const Plan& plan, int error) {
  const FindingId id = error == ENOENT || error == ENOTDIR ? FindingId::not_found : FindingId::exec_failed;
  const char* next = error == E2BIG    ? "shorten the arguments or the environment"
                     : error == ENOENT ? "check the file, and the interpreter in its first line"
                                       : "check the file: it must be a program for this machine";
  Finding finding{id, formatted("cannot execute '{}': {}", plan.file, std::strerror(error)), next};
  // What was asked for may fit by itself.
  if (error == E2BIG) finding.cause = Cause::circumstance;
  return finding;
}

Descriptor out_of_the_way(int number) {
  const Descriptor given{number};
  return Descriptor{::fcntl(given.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
}

}  // namespace metal_unlock
