// SPDX-License-Identifier: MIT
#include "cli/args/given_options.hpp"
#include "cli/core/text_format.hpp"

#include <charconv>
#include <cstdint>

namespace metal_unlock {

Result<Command> attach_command(const CommandRow& row, const GivenOptions& given,
                               const std::vector<std::string>& words) {
  if (words.size() != 1)
    return usage_finding(row, words.empty() ? "attach needs the number of a process"
                                            : formatted("attach takes one process, no '{}'", words[1]));
  constexpr std::int32_t largest_pid = INT32_MAX;
  AttachCommand command;
  const std::string& word = words.front();
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, command.pid);
  if (error != std::errc{} || end != last || command.pid < 1 || command.pid > largest_pid)
    return usage_finding(row, formatted("'{}' is not the number of a process", word));
  const auto timeout = number_of(row, given, {"--timeout", 1, 3600}, command.timeout_in_seconds);
  if (!timeout) return timeout.finding();
  command.launch = launch_options(given);
  command.timeout_in_seconds = *timeout;
  command.report = given.value("--report").value_or("");
  return Command{std::move(command)};
}

}  // namespace metal_unlock
