// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/launch_agent.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace metal_unlock {

/// Whose file an agent's is.
enum class AgentFile : std::uint8_t { missing, own, foreign };

std::string_view to_text(AgentFile file);

/// What `launchd status` says.
struct ShownAgent {
  std::string service;
  std::string path;
  AgentFile file = AgentFile::missing;
  std::optional<AgentState> state;  ///< nothing where it is not loaded
};

std::string agent_status_text(const ShownAgent& agent);

}  // namespace metal_unlock
