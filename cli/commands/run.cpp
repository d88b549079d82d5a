// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/report_file.hpp"
#include "cli/commands/run_words.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/explain_text.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/launch_text.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

/// Which gates of a known program the unlock opens.
std::string words_about_gates(const Launch& launch) {
  if (launch.decision.action != Action::start_unlocked || !launch.program) return {};
  const Program* const program = &*launch.program;
  const std::vector<ProgramItem> gates = opened_gates(*program, *launch.verdict);
  if (gates.empty())
    return formatted("metal-unlock: {}: no gate depends on what is claimed\n", program->name);
  return formatted("metal-unlock: {}: opens {}\n", program->name, printable(gates_text(gates)));
}

/// What `run` says before the target takes over: nothing, unless something is wrong or somebody looks.
std::string words_before_start(const RunCommand& command, const Launch& launch, const Terminal& terminal) {
  const Style style{terminal};
  const bool is_refused = launch.decision.action == Action::refuse;
  if (command.quiet && !is_refused) return {};
  std::string words = findings_text(launch.decision.findings, style);
  if (is_refused) return words;
  if (command.verbose) return words + verbose_text(launch, style) + words_about_gates(launch);
  const bool is_worth_a_line = terminal.is_terminal && launch.decision.action == Action::start_unlocked;
  return is_worth_a_line ? words + summary_line(launch, style) : words;
}

/// The end of a watch is for a shim that will not come.
void call_off_watch(System& system, Launch& launch) {
  if (launch.scope.watch >= 0) system.end_watch(launch.scope.watch);
  launch.scope.watch = -1;
}

/// Says why the target does not start, and returns the status for it.
int fail(System& system, Launch& launch, const Finding& finding, const Style& style) {
  call_off_watch(system, launch);
  system.write(Stream::err, findings_text({&finding, 1}, style));
  return catalogue_row(finding.id).run_status;
}

int show_dry_run(System& system, const Launch& launch) {
  const bool is_shown = print_answer(system, dry_run_text(launch, stock_answers(system)));
  return is_shown ? status_fine : catalogue_row(FindingId::output_failed).run_status;
}

/// Returns only where the target does not start. What the unlock adds to the environment can be what makes it
/// too much.
Finding start(System& system, const RunCommand& command, Launch& launch) {
  Finding failure = system.replace_process(launch.plan);
  const bool may_be_stock =
      launch.decision.action == Action::start_unlocked && launch.settings.policy.value != Policy::require;
  if (failure.cause == Cause::mistake || !may_be_stock) return failure;
  failure.severity = Severity::warn;
  failure.sentence += " when it is to be unlocked, so it starts stock";
  call_off_watch(system, launch);
  fall_back_to_stock(system, command.target, failure, launch);
  system.write(Stream::err, words_before_start(command, launch, system.terminal(Stream::err)));
  const auto unwritten = begin_report(system, launch.scope.report, launch);
  return unwritten ? *unwritten : system.replace_process(launch.plan);
}

}  // namespace

int run(System& system, const RunCommand& command) {
  // As the target will find it, wherever it goes.
  const std::string report = absolute_path(system, command.report);
  const Outlook outlook{.places_shim = !command.dry_run,
                        .is_target = true,
                        .may_watch = !command.dry_run,
                        .report = report,
                        .verifying = command.dry_run ? Verifying::from_memory : Verifying::now,
                        .shows_progress = !command.quiet};
  Launch launch = prepare_launch(system, command.launch, command.target, outlook);
  const Terminal terminal = system.terminal(Stream::err);

  const int shown = command.dry_run ? show_dry_run(system, launch) : status_fine;
  system.write(Stream::err, words_before_start(command, launch, terminal));
  if (command.dry_run) return launch.decision.action == Action::refuse ? launch.decision.status : shown;
  const auto unwritten = begin_report(system, report, launch);
  if (unwritten) return fail(system, launch, *unwritten, Style{terminal});
  if (launch.decision.action == Action::refuse) return launch.decision.status;
  return fail(system, launch, start(system, command, launch), Style{terminal});
}

}  // namespace metal_unlock
