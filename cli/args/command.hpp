// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
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
  bool json = false;
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

struct EnvCommand {
  LaunchOptions launch;
  bool json = false;
  std::vector<std::string> target;
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
  std::string topic;  ///< empty: the page of the whole program
};

struct VersionCommand {};

using Command = std::variant<RunCommand, DoctorCommand, PrepareCommand, ProbeCommand, ProfilesCommand,
                             EnvCommand, BenchCommand, CompareCommand, AttachCommand, ExplainCommand,
                             HostCommand, ConfigCommand, HelpCommand, VersionCommand>;

}  // namespace metal_unlock
