// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace metal_unlock {

/// What decides how a target is started, whichever command starts it.
struct LaunchOptions {
  SettingFlags flags;
  bool allow_beyond_host = false;
  bool log = false;  ///< the shim says on stderr what it did
};

struct RunCommand {
  LaunchOptions launch;
  bool dry_run = false;
  std::string report;  ///< file for the report; empty: none
  bool quiet = false;
  bool verbose = false;
  std::vector<std::string> target;
};

struct DoctorCommand {
  LaunchOptions launch;
  enum class Form : std::uint8_t { as_text, as_json, as_github };
  Form form = Form::as_text;
  bool paths = false;               ///< list what may be written, instead
  std::vector<std::string> target;  ///< empty: the guest alone
};

struct PrepareCommand {
  std::string target;
  std::string output;    ///< empty: beside the working folder's files, "NAME-unlocked"
  bool dry_run = false;  ///< print what would be done
};

struct ProbeCommand {
  LaunchOptions launch;
  bool json = false;
  bool unlocked = false;
};

struct ProfilesCommand {
  enum class Action : std::uint8_t { list, show, check };
  Action action = Action::list;
  bool json = false;
  std::vector<std::string> names;
};

/// A program that launchd is to start.
struct AgentOptions {
  std::string label;  ///< empty: one is made of the program's name
  bool keep_alive = false;
  std::vector<std::string> target;
};

struct EnvCommand {
  enum class Form : std::uint8_t { as_shell, as_json, as_agent };
  LaunchOptions launch;
  Form form = Form::as_shell;
  AgentOptions agent = {};
  std::vector<std::string> target;
};

struct AliasCommand {
  LaunchOptions launch;
  std::string shell;  ///< empty: that of $SHELL
  std::vector<std::string> programs;
};

struct LaunchdCommand {
  enum class Action : std::uint8_t { install, status, remove };
  LaunchOptions launch;
  Action action = Action::status;
  bool json = false;
  AgentOptions agent;
};

struct CompletionsCommand {
  enum class Kind : std::uint8_t { bash, zsh, fish, profiles, programs };
  Kind kind = Kind::bash;
};

/// Where and how a comparison is written.
struct ComparisonOutput {
  enum class Form : std::uint8_t { as_table, as_json, as_csv, as_markdown };
  Form form = Form::as_table;
  std::string svg;  ///< file for a chart; empty: none
};

struct BenchCommand {
  LaunchOptions launch;
  std::size_t runs = 5;     ///< of each side
  std::size_t warmups = 1;  ///< of each side
  std::size_t timeout_in_seconds = 1800;
  bool allow_load = false;
  std::string host;      ///< file with the host's samples; empty: none
  std::string evidence;  ///< folder to make; empty: none
  ComparisonOutput output;
  std::vector<std::string> target;
};

struct CompareCommand {
  std::vector<std::string> files;  ///< stock, unlocked, and maybe host
  ComparisonOutput output;
};

struct VerifyCommand {
  LaunchOptions launch;
  bool json = false;
  bool forget = false;  ///< the remembered verdict, instead of making one
  std::size_t timeout_in_seconds = 20;
};

/// One check, in the process that `verify` started for it: "verify-check NAME BYTES". No page of the help has
/// it.
struct CheckCommand {
  static constexpr std::string_view word = "verify-check";
  std::string name;
  std::string threadgroup_memory;  ///< bytes
};

struct AttachCommand {
  LaunchOptions launch;
  std::int64_t pid = 0;
  std::size_t timeout_in_seconds = 30;
  std::string report;  ///< file for the report; empty: none is kept
};

struct ConfigCommand {
  bool json = false;
};

struct ExplainCommand {
  LaunchOptions launch;
  bool json = false;
  std::string guest;    ///< file of a recorded guest; empty: this machine
  std::string program;  ///< empty: all of them
};

struct HostCommand {
  enum class Action : std::uint8_t { report, status, enable, disable };
  Action action = Action::status;
  bool json = false;
  std::string output;  ///< file for the report; empty: stdout
};

struct HelpCommand {
  std::string topic;    ///< empty: the page of the whole program
  bool manual = false;  ///< the manual page instead
};

struct VersionCommand {};

using Command = std::variant<RunCommand, DoctorCommand, PrepareCommand, ProbeCommand, ProfilesCommand,
                             EnvCommand, VerifyCommand, CheckCommand, BenchCommand, CompareCommand,
                             AttachCommand, ExplainCommand, HostCommand, ConfigCommand, HelpCommand,
                             VersionCommand, AliasCommand, LaunchdCommand, CompletionsCommand>;

}  // namespace metal_unlock
