// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/service_agent.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/json_text.hpp"

namespace metal_unlock {
namespace {

std::string change_shell(const EnvironmentChange& change) {
  std::string text;
  for (const auto& [name, value] : change.set) text += formatted("export {}={}\n", name, shell_word(value));
  for (const std::string& name : change.unset) text += formatted("unset {}\n", name);
  return text;
}

int print_agent(System& system, const EnvCommand& command) {
  const Result<std::string> text = agent_text(system, command.launch, command.agent);
  if (text) return print_answer(system, *text) ? status_fine : status_wrong;
  return fail(system, text.finding());
}

}  // namespace

int run(System& system, const EnvCommand& command) {
  if (command.form == EnvCommand::Form::as_agent) return print_agent(system, command);
  const bool has_target = !command.target.empty();
  const Outlook outlook{.places_shim = true, .is_target = has_target};
  const Launch launch = prepare_launch(system, command.launch, command.target, outlook);
  system.write(Stream::err, findings_text(launch.decision.findings, Style{system.terminal(Stream::err)}));
  if (launch.decision.action == Action::refuse) return status_wrong;
  const std::string text =
      command.form == EnvCommand::Form::as_json ? change_json(launch) : change_shell(launch.plan.change);
  return print_answer(system, text) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
