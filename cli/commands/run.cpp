// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/launch_text.hpp"

namespace metal_unlock {
namespace {

/// What `run` says before the target takes over: nothing, unless something is wrong or somebody looks.
std::string words_before_start(const RunCommand& command, const Launch& launch, const Terminal& terminal) {
  const Style style{terminal};
  const bool is_refused = launch.decision.action == Action::refuse;
  if (command.quiet && !is_refused) return {};
  std::string words = findings_text(launch.decision.findings, style);
  if (is_refused) return words;
  if (command.verbose) return words + verbose_text(launch, style);
  const bool is_worth_a_line = terminal.is_terminal && launch.decision.action == Action::start_unlocked;
  return is_worth_a_line ? words + summary_line(launch, style) : words;
}

}  // namespace

int run(System& system, const RunCommand& command) {
  const Outlook outlook{.places_shim = !command.dry_run, .is_target = true};
  const Launch launch = prepare_launch(system, command.launch, command.target, outlook);
  const Terminal terminal = system.terminal(Stream::err);

  bool is_shown = true;
  if (command.dry_run) {
    const Style style{system.terminal(Stream::out)};
    is_shown = print_answer(system, dry_run_text(launch, stock_answers(system), style));
  }
  system.write(Stream::err, words_before_start(command, launch, terminal));
  if (launch.decision.action == Action::refuse) return launch.decision.status;
  if (command.dry_run) return is_shown ? status_fine : catalogue_row(FindingId::output_failed).run_status;

  const Finding failure = system.replace_process(launch.plan);
  system.write(Stream::err, findings_text({&failure, 1}, Style{terminal}));
  return catalogue_row(failure.id).run_status;
}

}  // namespace metal_unlock
