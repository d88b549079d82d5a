// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/json.hpp"
#include "cli/text/printable.hpp"

#include <fmt/format.h>

namespace metal_unlock {
namespace {

std::string change_shell(const EnvironmentChange& change) {
  std::string text;
  for (const auto& [name, value] : change.set) text += fmt::format("export {}={}\n", name, shell_word(value));
  for (const std::string& name : change.unset) text += fmt::format("unset {}\n", name);
  return text;
}

std::string change_json(const Launch& launch) {
  Json set = Json::object();
  for (const auto& [name, value] : launch.plan.change.set) set[name] = value;
  return json_text({{"schema", 1},
                    {"unlocked", launch.decision.action == Action::start_unlocked},
                    {"set", set},
                    {"unset", launch.plan.change.unset}});
}

}  // namespace

int run(System& system, const EnvCommand& command) {
  const bool has_target = !command.target.empty();
  const Outlook outlook{.asks_metal = false, .places_shim = true, .is_target = has_target};
  const Launch launch = prepare_launch(system, command.launch, command.target, outlook);
  system.write(Stream::err, findings_text(launch.decision.findings, Style{system.terminal(Stream::err)}));
  if (launch.decision.action == Action::refuse) return status_wrong;
  const std::string text = command.json ? change_json(launch) : change_shell(launch.plan.change);
  return system.write(Stream::out, text) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
