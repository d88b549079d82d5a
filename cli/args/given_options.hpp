// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/args/declarations.hpp"
#include "cli/core/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// The options given, by name, with the last value of each; a flag's value is empty.
class GivenOptions {
 public:
  bool has(std::string_view name) const { return values_.contains(std::string{name}); }
  std::optional<std::string> value(std::string_view name) const {
    const auto found = values_.find(std::string{name});
    return found == values_.end() ? std::nullopt : std::optional{found->second};
  }
  void add(std::string_view name, std::string value) {
    values_.insert_or_assign(std::string{name}, std::move(value));
  }

 private:
  std::map<std::string, std::string> values_;
};

/// What every command that starts a target takes.
LaunchOptions launch_options(const GivenOptions& given);

Finding usage_finding(const CommandRow& command, std::string sentence);

/// The action of that name among a command's; a usage finding with near names where there is none.
Result<std::size_t> action_index(const CommandRow& row, const std::vector<std::string>& words);

Result<Command> doctor_command(const CommandRow& row, const GivenOptions& given,
                               std::vector<std::string> target);
Result<Command> env_command(const CommandRow& row, const GivenOptions& given,
                            std::vector<std::string> target);
Result<Command> alias_command(const CommandRow& row, const GivenOptions& given,
                              std::vector<std::string> programs);
Result<Command> launchd_command(const CommandRow& row, const GivenOptions& given,
                                std::vector<std::string> words);
Result<Command> completions_command(const CommandRow& row, const std::vector<std::string>& words);
/// What an option takes.
struct NumberRow {
  std::string_view option;
  std::size_t least;
  std::size_t most;
};

/// The number of an option, or the one it stands for where it was not given.
Result<std::size_t> number_of(const CommandRow& row, const GivenOptions& given, const NumberRow& wanted,
                              std::size_t where_not_given);

Result<Command> attach_command(const CommandRow& row, const GivenOptions& given,
                               const std::vector<std::string>& words);
Result<Command> bench_command(const CommandRow& row, const GivenOptions& given,
                              std::vector<std::string> target);
Result<Command> verify_command(const CommandRow& row, const GivenOptions& given);
Result<Command> compare_command(const CommandRow& row, const GivenOptions& given,
                                std::vector<std::string> files);

}  // namespace metal_unlock
