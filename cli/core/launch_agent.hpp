// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// What launchd is told about one program. Every path is absolute: launchd knows no PATH and starts in "/".
struct LaunchAgent {
  std::string label;
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string working_folder;  ///< empty: launchd's own
  std::string log;             ///< for stdout and stderr; empty: they are lost
  bool keep_alive = false;     ///< started again where it fails
};

/// The agent as a property list in XML. agent-refused where a word cannot be written in XML.
Result<std::string> agent_plist(const LaunchAgent& agent);

/// Whether we wrote that file.
bool is_own_agent(std::string_view text);

/// A label for a program that was given none: "local.metal-unlock.llama-server".
std::string label_for(std::string_view program);

/// What launchd says of a service, from what `launchctl print` prints.
struct AgentState {
  std::string file;  ///< from which it was loaded
  std::string state;
  std::string pid;
  std::string last_exit;

  bool operator==(const AgentState&) const = default;
};

AgentState read_agent_state(std::string_view printed);

}  // namespace metal_unlock
