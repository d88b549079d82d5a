// SPDX-License-Identifier: MIT
#include "cli/args/parse.hpp"

#include "cli/args/declarations.hpp"
#include "cli/args/given_options.hpp"
#include "cli/args/split_words.hpp"
#include "cli/core/near_names.hpp"
#include "cli/core/text_format.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace metal_unlock {
namespace {

/// CLI11 parses; names and help come from the declarations. Its own exit numbers never leave this function.
Result<GivenOptions> read_options(const CommandRow& command, std::vector<std::string> own) {
  if (own.empty()) return GivenOptions{};  // most starts: the parser costs more than all the rest of them
  CLI::App app;
  app.set_help_flag();
  std::map<std::string_view, std::vector<std::string>> values;
  std::map<std::string_view, bool> flags;
  for (const OptionRow& option : command.options) {
    std::string names{option.letter};
    if (!names.empty()) names += ',';
    names += option.name;
    if (option.value.empty())
      app.add_flag(names, flags[option.name])->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    else
      app.add_option(names, values[option.name])
          ->expected(1)
          ->allow_extra_args(false)  // else "[a,b]" is taken apart
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  try {
    std::ranges::reverse(own);
    app.parse(std::move(own));
  } catch (const CLI::ParseError& error) {
    return Finding{FindingId::usage, error.what(), formatted("metal-unlock help {}", command.name)};
  }
  GivenOptions given;
  for (const auto& [name, is_set] : flags)
    if (is_set) given.add(name, "");
  for (const auto& [name, all] : values)
    if (!all.empty()) given.add(name, all.back());
  return given;
}

Result<Command> run_command(const CommandRow& row, const GivenOptions& given,
                            std::vector<std::string> target) {
  if (target.empty())
    return Finding{FindingId::no_command, "run needs a command",
                   formatted("usage: metal-unlock {}", row.usage)};
  return Command{RunCommand{.launch = launch_options(given),
                            .dry_run = given.has("--dry-run"),
                            .report = given.value("--report").value_or(""),
                            .quiet = given.has("--quiet"),
                            .verbose = given.has("--verbose"),
                            .target = std::move(target)}};
}

Result<Command> profiles_command(const CommandRow& row, const GivenOptions& given,
                                 std::vector<std::string> words) {
  ProfilesCommand command{.action = ProfilesCommand::Action::list, .json = given.has("--json"), .names = {}};
  const std::string action = words.empty() ? "list" : words.front();
  if (!words.empty()) words.erase(words.begin());
  if (action == "show") {
    command.action = ProfilesCommand::Action::show;
  } else if (action == "check") {
    command.action = ProfilesCommand::Action::check;
  } else if (action != "list") {
    const std::vector<std::string> actions{"list", "show", "check"};
    const std::string hint = did_you_mean(near_names(action, actions, 1));
    return usage_finding(row, formatted("profiles cannot '{}'{}{}", action, hint.empty() ? "" : ", ", hint));
  }
  const bool takes_names = command.action != ProfilesCommand::Action::list;
  if (takes_names && words.empty())
    return usage_finding(row,
                         formatted("profiles {} needs a {}", action, action == "show" ? "name" : "file"));
  if (!takes_names && !words.empty())
    return usage_finding(row, formatted("profiles list takes no '{}'", words.front()));
  command.names = std::move(words);
  return Command{std::move(command)};
}

Result<Command> prepare_command(const CommandRow& row, const GivenOptions& given,
                                const std::vector<std::string>& words) {
  if (words.size() != 1)
    return usage_finding(
        row, words.empty() ? "prepare needs a target" : formatted("prepare takes no '{}'", words.at(1)));
  return Command{PrepareCommand{.target = words.front(),
                                .output = given.value("--output").value_or(""),
                                .dry_run = given.has("--dry-run")}};
}

Result<Command> host_command(const CommandRow& row, const GivenOptions& given,
                             const std::vector<std::string>& words) {
  using Action = HostCommand::Action;
  const std::vector<std::pair<std::string, Action>> actions{{"report", Action::report},
                                                            {"status", Action::status},
                                                            {"enable", Action::enable},
                                                            {"disable", Action::disable}};
  if (words.empty()) return usage_finding(row, "host needs report, status, enable or disable");
  if (words.size() > 1) return usage_finding(row, formatted("host {} takes no '{}'", words[0], words[1]));
  const auto found = std::ranges::find(actions, words.front(), [](const auto& pair) { return pair.first; });
  if (found == actions.end()) {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : actions) names.push_back(name);
    const std::string hint = did_you_mean(near_names(words.front(), names, 1));
    return usage_finding(row,
                         formatted("host cannot '{}'{}{}", words.front(), hint.empty() ? "" : ", ", hint));
  }
  HostCommand command{found->second, given.has("--json"), given.value("--output").value_or("")};
  if (!command.output.empty() && command.action != Action::report)
    return usage_finding(row, formatted("host {} takes no --output", words.front()));
  if (!command.output.empty() && command.json)
    return usage_finding(row, "--output and --json exclude each other: guests read TOML");
  return Command{std::move(command)};
}

Result<Command> explain_command(const CommandRow& row, const GivenOptions& given,
                                const std::vector<std::string>& words) {
  if (words.size() > 1) return usage_finding(row, formatted("explain takes one program, no '{}'", words[1]));
  return Command{ExplainCommand{launch_options(given), given.has("--json"),
                                given.value("--guest").value_or(""), words.empty() ? "" : words.front()}};
}

Result<Command> help_command(const CommandRow& row, const GivenOptions& given,
                             const std::vector<std::string>& words) {
  const bool manual = given.has("--man");
  if (manual && !words.empty()) return usage_finding(row, "there is one manual page for all commands");
  if (words.empty()) return Command{HelpCommand{.topic = "", .manual = manual}};
  if (words.size() > 1) return usage_finding(row, "help takes one command");
  if (command_row(words.front()) == nullptr)
    return usage_finding(row, formatted("there is no command '{}'", words.front()));
  return Command{HelpCommand{.topic = words.front()}};
}

Result<Command> command_from(const CommandRow& row, const GivenOptions& given,
                             std::vector<std::string> rest) {
  if (given.has("--help")) return Command{HelpCommand{.topic = std::string{row.name}}};
  if (row.operands == Operands::none && !rest.empty())
    return usage_finding(row, formatted("{} takes no '{}'", row.name, rest.front()));
  if (row.name == "run") return run_command(row, given, std::move(rest));
  if (row.name == "doctor") return doctor_command(row, given, std::move(rest));
  if (row.name == "alias") return alias_command(row, given, std::move(rest));
  if (row.name == "launchd") return launchd_command(row, given, std::move(rest));
  if (row.name == "completions") return completions_command(row, rest);
  if (row.name == "prepare") return prepare_command(row, given, rest);
  if (row.name == "profiles") return profiles_command(row, given, std::move(rest));
  if (row.name == "explain") return explain_command(row, given, rest);
  if (row.name == "host") return host_command(row, given, rest);
  if (row.name == "help") return help_command(row, given, rest);
  if (row.name == "config") return Command{ConfigCommand{.json = given.has("--json")}};
  if (row.name == "attach") return attach_command(row, given, rest);
  if (row.name == "bench") return bench_command(row, given, std::move(rest));
  if (row.name == "verify") return verify_command(row, given);
  if (row.name == "compare") return compare_command(row, given, std::move(rest));
  if (row.name == "env") return env_command(row, given, std::move(rest));
  return Command{ProbeCommand{launch_options(given), given.has("--json"), given.has("--unlocked")}};
}

Finding unknown_command(const std::string& word) {
  const bool is_option = word.starts_with('-');
  std::vector<std::string> names;
  if (is_option)
    names = {"--help", "--version"};
  else
    for (const CommandRow& row : command_rows()) names.emplace_back(row.name);
  const std::string hint = did_you_mean(near_names(word, names, 1));
  return {FindingId::usage, formatted("there is no {} '{}'", is_option ? "option" : "command", word),
          hint.empty() ? "to start a program: metal-unlock run -- COMMAND; all commands: metal-unlock help"
                       : hint};
}

}  // namespace

LaunchOptions launch_options(const GivenOptions& given) {
  return {.flags = {.profile = given.value("--profile"),
                    .require = given.has("--require"),
                    .children = given.has("--children"),
                    .host_report = given.value("--host-report"),
                    .verify = given.has("--verify")},
          .allow_beyond_host = given.has("--allow-beyond-host"),
          .log = given.has("--verbose")};
}

Finding usage_finding(const CommandRow& command, std::string sentence) {
  return {FindingId::usage, std::move(sentence), formatted("usage: metal-unlock {}", command.usage)};
}

Result<Command> parse_command(const std::vector<std::string>& words) {
  if (words.empty())
    return Finding{FindingId::no_command, "a command is needed",
                   "to start a program: metal-unlock run -- COMMAND; all commands: metal-unlock help"};
  const std::string& first = words.front();
  if (first == "--version" || first == "-V") return Command{VersionCommand{}};
  if (first == "--help" || first == "-h") return Command{HelpCommand{}};
  if (first == CheckCommand::word && words.size() == 3) return Command{CheckCommand{words[1], words[2]}};
  const CommandRow* row = command_row(first);
  if (row == nullptr) return unknown_command(first);
  Result<SplitWords> split = split_words(*row, {words.begin() + 1, words.end()});
  if (!split) return split.finding();
  const Result<GivenOptions> given = read_options(*row, std::move(split->own));
  if (!given) return given.finding();
  return command_from(*row, *given, std::move(split->rest));
}

}  // namespace metal_unlock
