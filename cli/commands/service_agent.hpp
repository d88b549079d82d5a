// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/core/launch_agent.hpp"
#include "cli/platform/system.hpp"

#include <string>

namespace metal_unlock {

/// The property list of an agent that starts the command with `run`, so that every start decides anew.
/// Findings: not-found, agent-refused.
Result<std::string> agent_text(const System& system, const LaunchOptions& launch,
                               const AgentOptions& options);

}  // namespace metal_unlock
