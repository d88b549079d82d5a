// SPDX-License-Identifier: MIT
#include "cli/core/attach.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/report_file.hpp"
#include "cli/commands/run_words.hpp"
#include "cli/core/debugger_script.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/attach_text.hpp"
#include "cli/text/findings_text.hpp"
#include "shim/handoff.hpp"

namespace metal_unlock {
namespace {

constexpr Bytes largest_report{1 << 20};

/// Everything that is known to be in the way before anything is done. In `debugger` its program.
std::optional<Finding> find_obstacle(System& system, const ProcessFacts& process, std::string& debugger) {
  const Loader loader = system.loader();
  const DebugMeans means = system.debug_means();
  if (auto obstacle = obstacle_to_attach(process, means, loader.shim_name)) return obstacle;
  const Result<Machine> machine = system.observe();
  const Surroundings surroundings{
      .sip = machine ? machine->sip : SipState::unknown, .shim_slices = loader.shim_slices, .shim = {}};
  const LoaderQuestion question =
      question_about(process.program, system.facts(process.program), surroundings, system);
  if (auto obstacle = signature_obstacle(process, question)) return obstacle;
  const std::string name{program_of(means.debugger)};
  const auto found = find_program(name, search_path(system.environment()), system);
  if (!found)
    return Finding{FindingId::debugger_missing, formatted("'{}' is not on PATH", name),
                   means.debugger == DebuggerKind::gdb ? "install it: sudo apt-get install gdb"
                                                       : "install it: xcode-select --install"};
  debugger = found->file;
  return std::nullopt;
}

std::string handoff_of(const Plan& plan) {
  for (const auto& [name, value] : plan.change.set)
    if (name == shim::handoff_variable) return value;
  return {};
}

/// The debugger's own surroundings: messages in one language, and the Python it was built with.
EnvironmentChange debugger_change() { return {.set = {{"LC_ALL", "C"}}, .unset = {"PYTHONHOME"}}; }

std::optional<Finding> load_shim(System& system, const AttachCommand& command, const ProcessFacts& process,
                                 const std::string& debugger, const Launch& launch) {
  const DebuggerKind kind = system.debug_means().debugger;
  const DebuggerTask task{process.pid, handoff_of(launch.plan), launch.shim};
  const Plan plan{debugger, debugger_command(kind, task), debugger_change()};
  constexpr double grace = 10;
  const RunLimits limits{.seconds = static_cast<double>(command.timeout_in_seconds),
                         .output = largest_report,
                         .is_interrupted = true,
                         .grace = grace};
  const Result<Finished> finished = system.run_to_end(plan, limits);
  if (!finished) return finished.finding();
  const DebuggerOutcome outcome = read_debugger_outcome(finished->output);
  if (outcome.verdict == DebuggerVerdict::loaded) return std::nullopt;
  if (finished->timed_out || finished->interrupted)
    return Finding{FindingId::attach_failed,
                   finished->interrupted
                       ? formatted("{} was interrupted, and lets {} go", program_of(kind), name_of(process))
                       : formatted("{} was not done with {} after {} s, and lets it go", program_of(kind),
                                   name_of(process), command.timeout_in_seconds),
                   formatted("give it longer: metal-unlock attach --timeout 120 {}", process.pid)};
  return attach_failure(process, kind, outcome);
}

/// Where the shim reports to. The process would make a file anew that was only removed, at its next question;
/// so one that nobody asked for has a folder of its own, which is removed too.
struct ReportPlace {
  std::string file;
  std::string folder;  ///< empty: the report is kept
};

ReportPlace report_place(const System& system, const AttachCommand& command) {
  if (!command.report.empty()) return {absolute_path(system, command.report), {}};
  const Result<std::string> shim = system.shim_location();
  if (!shim) return {};
  const std::string folder = formatted("{}/attach-{}", folder_name(*shim), command.pid);
  return {folder + "/report", folder};
}

void remove_report(System& system, const ReportPlace& place) {
  if (place.folder.empty()) return;
  // Also what an attach that was killed had in the making. What cannot be removed is in nobody's way but that
  // of the next attach, which says so.
  for (const std::string& name : system.names_in(place.folder))
    if (name.starts_with(file_name(place.file)))
      static_cast<void>(system.remove_file(place.folder + "/" + name));
  static_cast<void>(system.remove_file(place.folder));
}

std::optional<Finding> make_report(System& system, const ReportPlace& place, const Launch& launch) {
  remove_report(system, place);
  if (!place.folder.empty()) {
    const Result<std::string> made = system.make_folder(place.folder);
    if (!made) return made.finding();
  }
  return begin_report(system, place.file, launch);
}

/// Has the shim loaded, and asks its report what came of it.
std::optional<Finding> unlock(System& system, const AttachCommand& command, const ProcessFacts& process,
                              const std::string& debugger, const Launch& launch, AttachProof& proof) {
  if (auto failure = load_shim(system, command, process, debugger, launch)) return failure;
  const Result<std::string> text = system.read_file(launch.scope.report, largest_report);
  if (!text) return text.finding();
  proof = read_attach_proof(*text);
  return missing_effect(process, proof);
}

}  // namespace

int run(System& system, const AttachCommand& command) {
  const ProcessFacts process = system.process(command.pid);
  std::string debugger;
  if (const auto obstacle = find_obstacle(system, process, debugger)) return fail(system, *obstacle);

  const ReportPlace place = report_place(system, command);
  const Outlook outlook{.places_shim = true, .is_target = true, .report = place.file, .is_running = true};
  const Launch launch = prepare_launch(system, command.launch, {}, outlook);
  const Style style{system.terminal(Stream::err)};
  system.write(Stream::err, findings_text(launch.decision.findings, style));
  if (launch.decision.action == Action::refuse) return status_wrong;
  if (launch.decision.action == Action::start_stock) {
    if (!launch.decision.findings.empty()) return status_wrong;
    return print_answer(system, needless_text(process, launch)) ? status_fine : status_wrong;
  }

  AttachProof proof;
  auto failure = make_report(system, place, launch);
  if (!failure) failure = unlock(system, command, process, debugger, launch, proof);
  remove_report(system, place);
  if (failure) return fail(system, *failure);
  return print_answer(system, attached_text(process, launch, proof)) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
