// SPDX-License-Identifier: MIT
#include "cli/args/given_options.hpp"
#include "cli/core/near_names.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

/// Where options that exclude each other were given, says so.
std::optional<Finding> conflict(const CommandRow& row, const GivenOptions& given,
                                std::initializer_list<std::string_view> names) {
  std::string_view first;
  for (const std::string_view name : names) {
    if (!given.has(name)) continue;
    if (!first.empty()) return usage_finding(row, formatted("{} and {} exclude each other", first, name));
    first = name;
  }
  return std::nullopt;
}

/// Whether launchd and we can take it for the name of a file and of a service.
bool is_label(std::string_view label) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !label.empty() && label.size() <= longest && label.front() != '.' && label.front() != '-' &&
         label.find_first_not_of(letters) == std::string_view::npos;
}

Finding bad_label(const CommandRow& row, std::string_view label) {
  return usage_finding(row, formatted("'{}' is no label: letters, digits, '.', '_' and '-'", label));
}

}  // namespace

Result<std::size_t> action_index(const CommandRow& row, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const ActionRow& action : row.actions) names.emplace_back(action.name);
  if (words.empty()) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
      list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return usage_finding(row, formatted("{} needs {}", row.name, list));
  }
  const auto found = std::ranges::find(names, words.front());
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string hint = did_you_mean(near_names(words.front(), names, 1));
  return usage_finding(
      row, formatted("{} cannot '{}'{}{}", row.name, words.front(), hint.empty() ? "" : ", ", hint));
}

Result<Command> doctor_command(const CommandRow& row, const GivenOptions& given,
                               std::vector<std::string> target) {
  using enum DoctorCommand::Form;
  if (const auto both = conflict(row, given, {"--json", "--format"})) return *both;
  DoctorCommand command{launch_options(given), given.has("--json") ? as_json : as_text, given.has("--paths"),
                        std::move(target)};
  if (const auto form = given.value("--format")) {
    const auto names = fixed_words(Completing::report_form);
    const auto found = std::ranges::find(names, *form);
    if (found == names.end())
      return usage_finding(row, formatted("option '--format' needs text, json or github, not '{}'", *form));
    constexpr std::array forms{as_text, as_json, as_github};
    command.form = forms.at(static_cast<std::size_t>(found - names.begin()));
  }
  if (command.paths && command.form == as_github)
    return usage_finding(row, "--paths is text or json: it is no finding");
  if (command.paths && !command.target.empty())
    return usage_finding(row, formatted("--paths takes no '{}'", command.target.front()));
  return Command{std::move(command)};
}

Result<Command> env_command(const CommandRow& row, const GivenOptions& given,
                            std::vector<std::string> target) {
  using enum EnvCommand::Form;
  if (const auto both = conflict(row, given, {"--json", "--shell"})) return *both;
  if (const auto both = conflict(row, given, {"--json", "--launchd"})) return *both;
  if (const auto both = conflict(row, given, {"--shell", "--launchd"})) return *both;
  EnvCommand command{launch_options(given), given.has("--json") ? as_json : as_shell, {}, std::move(target)};
  const bool is_agent = given.has("--launchd");
  if (!is_agent && (given.has("--label") || given.has("--keep-alive")))
    return usage_finding(row, "--label and --keep-alive need --launchd");
  if (!is_agent) return Command{std::move(command)};
  if (command.target.empty())
    return Finding{FindingId::no_command, "env --launchd needs a command",
                   "usage: metal-unlock env --launchd -- COMMAND [ARG…]"};
  command.form = as_agent;
  command.agent = {given.value("--label").value_or(""), given.has("--keep-alive"), command.target};
  if (given.has("--label") && !is_label(command.agent.label)) return bad_label(row, command.agent.label);
  return Command{std::move(command)};
}

Result<Command> alias_command(const CommandRow& row, const GivenOptions& given,
                              std::vector<std::string> programs) {
  if (programs.empty()) return usage_finding(row, "alias needs a program");
  const std::string shell = given.value("--shell").value_or("");
  const auto known = fixed_words(Completing::alias_shell);
  if (!shell.empty() && std::ranges::find(known, shell) == known.end())
    return usage_finding(row, formatted("option '--shell' needs bash, zsh, fish or sh, not '{}'", shell));
  return Command{AliasCommand{launch_options(given), shell, std::move(programs)}};
}

Result<Command> launchd_command(const CommandRow& row, const GivenOptions& given,
                                std::vector<std::string> words) {
  using enum LaunchdCommand::Action;
  const Result<std::size_t> index = action_index(row, words);
  if (!index) return index.finding();
  constexpr std::array actions{install, status, remove};
  LaunchdCommand command{launch_options(given), actions.at(*index), given.has("--json"), {}};
  if (words.size() < 2) return usage_finding(row, formatted("launchd {} needs a label", words.front()));
  command.agent.label = words[1];
  if (!is_label(command.agent.label)) return bad_label(row, command.agent.label);
  command.agent.keep_alive = given.has("--keep-alive");
  command.agent.target.assign(words.begin() + 2, words.end());
  const bool is_install = command.action == install;
  if (is_install && command.agent.target.empty())
    return Finding{FindingId::no_command, "launchd install needs a command",
                   "usage: metal-unlock launchd install LABEL -- COMMAND [ARG…]"};
  if (!is_install && !command.agent.target.empty())
    return usage_finding(row, formatted("launchd {} takes no '{}'", words.front(), words[2]));
  if (command.json && command.action != status)
    return usage_finding(row, formatted("launchd {} takes no --json", words.front()));
  return Command{std::move(command)};
}

Result<Command> completions_command(const CommandRow& row, const std::vector<std::string>& words) {
  using enum CompletionsCommand::Kind;
  constexpr std::array<std::pair<std::string_view, CompletionsCommand::Kind>, 5> kinds{
      {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"profiles", profiles}, {"programs", programs}}};
  if (words.empty()) return usage_finding(row, "completions needs bash, zsh or fish");
  if (words.size() > 1) return usage_finding(row, formatted("completions takes no '{}'", words[1]));
  for (const auto& [name, kind] : kinds)
    if (name == words.front()) return Command{CompletionsCommand{kind}};
  return usage_finding(
      row, formatted("there are no completions for '{}', only for bash, zsh and fish", words.front()));
}

}  // namespace metal_unlock
