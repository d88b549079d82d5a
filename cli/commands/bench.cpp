// SPDX-License-Identifier: MIT
#include "cli/commands/bench_target.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison_output.hpp"
#include "cli/commands/evidence_folder.hpp"
#include "cli/commands/launch.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/progress.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/comparison_json.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/progress_text.hpp"

namespace metal_unlock {
namespace {

class Bench {
 public:
  Bench(System& system, const BenchCommand& command, BenchTarget target)
      : system_(system), command_(command), target_(std::move(target)) {}

  /// How a turn is started: what `run` would do, or the same without the unlock.
  Launch launch_for(const Turn& turn) {
    const Outlook outlook{.places_shim = true,
                          .is_target = true,
                          .may_watch = false,
                          .report = evidence_.report_of(turn),
                          .listener = listening_descriptor,
                          .must_take_effect = true};
    Launch launch = prepare_launch(system_, command_.launch, target_.words, outlook);
    if (turn.side == Side::stock) launch.plan.change = stock_change(system_.environment(), system_.loader());
    return launch;
  }

  /// Finds out which sides can be measured here. False where none can, which has then been said.
  bool choose_sides() {
    launch_ = launch_for({Side::unlocked, 1, false});
    system_.write(Stream::err,
                  findings_text(launch_.decision.findings, Style{system_.terminal(Stream::err)}));
    if (launch_.decision.action == Action::refuse) return false;
    if (launch_.decision.action == Action::start_unlocked) {
      sides_ = {Side::stock, Side::unlocked};
      return true;
    }
    const bool is_off = launch_.settings.policy.value == Policy::off;
    if (is_off || launch_.need == Need::guest) {
      tell(system_,
           {FindingId::bench_impossible, "nothing can be unlocked here, so there is nothing to compare",
            is_off ? "unset METAL_UNLOCK" : "metal-unlock run --dry-run -- COMMAND says why"});
      return false;
    }
    sides_ = {Side::stock};
    tell(system_,
         {FindingId::bench_needless,
          formatted("{}, so only stock runs are measured", reason_text(launch_.need, launch_.machine)),
          "with --json the result is a HOST for compare, or for bench --host in a guest"});
    return true;
  }

  /// False where the folder for evidence cannot be made, which has then been said.
  bool begin_evidence() {
    first_ = system_.machine_state();
    Result<EvidenceFolder> evidence = EvidenceFolder::begin(system_, command_.evidence);
    if (!evidence) {
      tell(system_, evidence.finding());
      return false;
    }
    evidence_ = *std::move(evidence);
    evidence_.add_facts(system_, launch_, target_.words, target_.model, first_);
    return true;
  }

  /// Takes all turns, or those until the user wants to stop. A finding where a run could not be started.
  std::optional<Finding> take_turns() {
    turns_ = turns_of(command_.runs, command_.warmups, sides_);
    Progress progress{system_};
    for (std::size_t i = 0; i < turns_.size() && !is_interrupted_; ++i) {
      progress.show(progress_text(i + 1, turns_.size(), turns_[i], seconds_left(runs_, turns_)));
      if (auto finding = take(turns_[i])) return finding;
    }
    exclude_other_forms(runs_);
    return std::nullopt;
  }

  int report(const std::vector<Series>& host) {
    const Pairing pairing = pairing_of_runs(host);
    tell_what_is_missing(pairing);
    const std::string json = bench_json(pairing, runs_, !is_interrupted_);
    const bool is_shown = !pairing.rows.empty() && show_comparison(system_, command_.output, pairing, json);
    evidence_.add_results(system_, pairing, json);
    const auto unwritten = evidence_.finish(system_);
    if (unwritten) tell(system_, *unwritten);
    return is_shown && !unwritten && is_whole_ && pairing.mismatches.empty() ? status_fine : status_wrong;
  }

 private:
  std::optional<Finding> take(const Turn& turn) {
    constexpr Bytes most_output{std::uint64_t{8} * 1024 * 1024};
    const Launch launch = launch_for(turn);
    evidence_.begin_run(system_, turn, launch);
    const MachineState before = system_.machine_state();
    const Result<Finished> finished = system_.run_to_end(
        launch.plan, {.seconds = static_cast<double>(command_.timeout_in_seconds), .output = most_output});
    if (!finished) return finished.finding();
    if (finished->interrupted) {
      is_interrupted_ = true;
      return std::nullopt;
    }
    const MachineState after = system_.machine_state();
    runs_.push_back(judged(turn, *finished, {first_, before, after, command_.allow_load}));
    evidence_.add_run(system_, turn, launch, *finished);
    return std::nullopt;
  }

  BenchRun judged(const Turn& turn, const Finished& finished, const RunCircumstances& circumstances) const {
    BenchRun run{.turn = turn,
                 .status = finished.status,
                 .wall_seconds = finished.wall_seconds,
                 .processor_seconds = finished.processor_seconds,
                 .others_busy = others_busy(finished, circumstances.before, circumstances.after),
                 .measurements = {},
                 .exclusion = exclusion_of(turn, finished, circumstances)};
    if (!run.exclusion.empty()) return run;
    Result<Measurements> measurements = measurements_of(target_, finished, turn);
    if (measurements)
      run.measurements = *std::move(measurements);
    else
      run.exclusion = measurements.finding().sentence;
    return run;
  }

  Pairing pairing_of_runs(const std::vector<Series>& host) const {
    const std::vector<Series> stock = series_of(runs_, Side::stock);
    if (sides_.size() > 1) return pair_series(stock, series_of(runs_, Side::unlocked), host);
    Pairing pairing;
    for (const Series& series : stock)
      pairing.rows.push_back({series.workload, series.unit, series.samples, {}, {}});
    return pairing;
  }

  void tell_what_is_missing(const Pairing& pairing) {
    std::vector<std::string> excluded;
    for (const BenchRun& run : runs_)
      if (!run.exclusion.empty()) excluded.push_back(formatted("{}: {}", name_of(run.turn), run.exclusion));
    is_whole_ = excluded.empty() && !is_interrupted_;
    if (is_interrupted_)
      tell(system_,
           {FindingId::bench_interrupted,
            formatted("stopped after {} of {} runs; what is finished is kept", runs_.size(), turns_.size()),
            "run it again for the rest"});
    if (!excluded.empty())
      tell(system_,
           {FindingId::run_excluded,
            formatted("{} of {} runs {} not counted", excluded.size(), runs_.size(),
                      excluded.size() == 1 ? "is" : "are"),
            "repeat it on a quiet machine; metal-unlock run -- COMMAND shows what a run prints", excluded});
    if (!pairing.mismatches.empty()) tell(system_, mismatch_finding(pairing));
  }

  System& system_;
  const BenchCommand& command_;
  BenchTarget target_;
  Launch launch_;
  EvidenceFolder evidence_;
  MachineState first_;
  std::vector<Side> sides_;
  std::vector<Turn> turns_;
  std::vector<BenchRun> runs_;
  bool is_interrupted_ = false;
  bool is_whole_ = false;
};

}  // namespace

int run(System& system, const BenchCommand& command) {
  const auto end_with = [&](const Finding& finding, int status) {
    tell(system, finding);
    return status;
  };
  Result<BenchTarget> target = bench_target(command.target);
  if (!target) return end_with(target.finding(), status_usage);
  std::vector<Series> host;
  if (!command.host.empty()) {
    Result<std::vector<Series>> samples = load_samples(system, command.host, Side::host);
    if (!samples) return end_with(samples.finding(), status_usage);
    host = *std::move(samples);
  }
  const bool has_added_output = target->has_added_output;
  Bench bench{system, command, *std::move(target)};
  if (!bench.choose_sides()) return status_wrong;
  if (has_added_output)
    tell(system, {FindingId::option_added, "llama-bench gets '-o jsonl' added, which prints every sample",
                  "give -o json or -o jsonl to choose"});
  if (!bench.begin_evidence()) return status_usage;
  if (const auto finding = bench.take_turns()) return end_with(*finding, status_wrong);
  return bench.report(host);
}

}  // namespace metal_unlock
