// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/settings.hpp"

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

using Command = std::variant<RunCommand, ProbeCommand, ProfilesCommand, EnvCommand, ConfigCommand,
                             ExplainCommand, HostCommand, HelpCommand, VersionCommand>;

}  // namespace metal_unlock
