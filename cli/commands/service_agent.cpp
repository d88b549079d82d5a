// SPDX-License-Identifier: MIT
#include "cli/commands/service_agent.hpp"

#include "cli/commands/paths.hpp"
#include "cli/commands/run_words.hpp"
#include "cli/core/target/find_program.hpp"

namespace metal_unlock {
namespace {

/// launchd hands on nothing of a shell's environment: what the start would be decided by here goes along.
std::vector<std::pair<std::string, std::string>> kept_variables(const System& system) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const char* name :
       {"PATH", "METAL_UNLOCK", "METAL_UNLOCK_PROFILE", "METAL_UNLOCK_CONFIG", "METAL_UNLOCK_HOST_REPORT",
        "METAL_UNLOCK_VERIFY", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
    if (const auto content = system.environment().get_non_empty(name)) kept.emplace_back(name, *content);
  return kept;
}

}  // namespace

Result<std::string> agent_text(const System& system, const LaunchOptions& launch,
                               const AgentOptions& options) {
  const auto program = find_program(options.target.front(), search_path(system.environment()), system);
  if (!program) return program.finding();
  LaunchAgent agent{.label = options.label.empty() ? label_for(program->file) : options.label,
                    .argv = {lasting_own_path(system)},
                    .environment = kept_variables(system),
                    .working_folder = system.working_folder(),
                    .log = {},
                    .keep_alive = options.keep_alive};
  const std::vector<std::string> words = run_words(system, launch);
  agent.argv.insert(agent.argv.end(), words.begin(), words.end());
  agent.argv.emplace_back("--");
  agent.argv.push_back(absolute_path(system, program->file));
  agent.argv.insert(agent.argv.end(), options.target.begin() + 1, options.target.end());
  if (const std::string home = system.home_folder(); !home.empty())
    agent.log = home + "/Library/Logs/" + agent.label + ".log";
  return agent_plist(agent);
}

}  // namespace metal_unlock
