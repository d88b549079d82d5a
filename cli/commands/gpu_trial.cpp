// SPDX-License-Identifier: MIT
#include "cli/commands/gpu_trial.hpp"

#include "cli/commands/progress.hpp"
#include "cli/commands/sources.hpp"
#include "cli/core/text_format.hpp"
#include "cli/verify/verdict_json.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr Bytes most_output{std::uint64_t{1} << 20U};
/// Every Metal device has so much of it.
constexpr std::uint64_t least_threadgroup_memory = 16384;
/// The status with which the shim ends a process in which it cannot take effect.
constexpr int shim_refusal = 125;

enum class Mode : std::uint8_t { stock, unlocked };

std::vector<std::string> check_words(const System& system, std::string_view name, std::uint64_t memory) {
  return {system.own_path(), std::string{CheckCommand::word}, std::string{name}, formatted("{}", memory)};
}

/// What a device answers once it is unlocked.
std::optional<std::uint64_t> told(const Launch& launch, const Capabilities& stock, Field field) {
  const std::optional<std::uint64_t> simulated = launch.scope.simulated[field];
  return simulated ? simulated : std::max(stock[field], launch.verdict->granted()[field]);
}

/// The last line, which is the one that says why a process ended.
std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string{text.substr(text.rfind('\n') + 1)};
}

CheckPass crash_of(const Finished& finished) {
  CheckPass pass{.end = PassEnd::crashed};
  pass.where = finished.status > 128 ? formatted("signal {} ended it", finished.status - 128)
                                     : formatted("it ended with status {} and no result", finished.status);
  const std::string words = last_line(finished.errors);
  if (!words.empty()) pass.where += ": " + words;
  return pass;
}

class Trial {
 public:
  Trial(System& system, const Launch& launch, const TrialOptions& options)
      : system_(system), launch_(launch), options_(options), progress_(system, options.shows_progress) {
    verdict_.was_unlocked = launch.decision.action == Action::start_unlocked;
    if (launch.verdict) verdict_.key = verdict_key(launch.machine, *launch.verdict, program_version());
  }

  Result<GpuVerdict> run() {
    ask_stock();
    for (const Check& check : all_checks()) {
      if (finding_) break;
      verdict_.capabilities.push_back({std::string{check.name}, is_claimed(check), {}, {}});
      if (!is_over_) take(check, verdict_.capabilities.back());
    }
    if (finding_) return *finding_;
    verdict_.verified_at = system_.seconds_since_1970();
    return verdict_;
  }

 private:
  /// What a claim is measured against. Not asked in this process: a GPU that is stuck may hold it for ever.
  void ask_stock() {
    progress_.show("asking Metal");
    const auto finished = start(Mode::stock, {system_.own_path(), "probe", "--json"});
    if (!finished || finished->status != 0) return;
    const Result<GuestReport> report = parse_guest_report(finished->output, "the stock probe");
    if (report && !report->devices.empty()) stock_ = capabilities_of(report->devices.front());
  }

  bool is_claimed(const Check& check) const {
    const auto family =
        verdict_.was_unlocked ? told(launch_, stock_, Field::apple_family) : stock_[Field::apple_family];
    return check.since.number <= std::max<std::uint64_t>(family.value_or(0), first_apple_family.number);
  }

  /// The unlocked pass first: if the GPU does not survive the check, it is the one that counts.
  void take(const Check& check, CapabilityVerdict& capability) {
    if (verdict_.was_unlocked) capability.unlocked = pass(check, Mode::unlocked);
    const bool is_stock_wanted = !verdict_.was_unlocked || options_.with_stock;
    if (is_stock_wanted && !is_over_ && !finding_) capability.stock = pass(check, Mode::stock);
  }

  CheckPass pass(const Check& check, Mode mode) {
    progress_.show(formatted("check {} of {}, {}: {}", verdict_.capabilities.size(), all_checks().size(),
                             mode == Mode::stock ? "stock" : "unlocked", check.capability));
    CheckPass first = run_once(check, mode);
    if (finding_ || first.end == PassEnd::correct || first.end == PassEnd::absent) return first;
    const Check& trivial = all_checks().front();
    if (&check == &trivial && first.end == PassEnd::no_device) {
      is_over_ = true;
    } else if (run_once(trivial, mode).end != PassEnd::correct) {
      is_over_ = true;
      verdict_.is_stuck = true;
    }
    return first;
  }

  CheckPass run_once(const Check& check, Mode mode) {
    const Capabilities& stock = stock_;
    const auto memory = mode == Mode::stock ? stock[Field::max_threadgroup_memory]
                                            : told(launch_, stock, Field::max_threadgroup_memory);
    const auto finished =
        start(mode, check_words(system_, check.name, memory.value_or(least_threadgroup_memory)));
    if (!finished) return {};
    if (finished->timed_out)
      return {.end = PassEnd::timed_out, .where = formatted("ended after {:.0f} s", options_.seconds)};
    if (mode == Mode::unlocked && finished->status == shim_refusal)
      finding_ = without_effect(last_line(finished->errors));
    const auto answer = parse_pass_line(finished->output);
    if (finished->status != 0 || !answer) return crash_of(*finished);
    if (mode == Mode::unlocked && finished->heard.find(R"("event":"loaded")") == std::string::npos)
      finding_ = without_effect("the loader did not load it");
    return *answer;
  }

  static Finding without_effect(const std::string& reason) {
    return {FindingId::verify_impossible,
            formatted("the shim has no effect in the process of a check: {}", reason),
            "metal-unlock probe --unlocked"};
  }

  std::optional<Finished> start(Mode mode, std::vector<std::string> words) {
    Plan plan = launch_.plan;
    if (mode == Mode::stock) plan.change = stock_change(system_.environment(), system_.loader());
    plan.argv = std::move(words);
    const Result<Finished> finished = system_.run_to_end(
        plan, {.seconds = options_.seconds, .output = most_output, .grace = 0, .has_lifeline = true});
    if (!finished)
      finding_ = finished.finding();
    else if (finished->interrupted)
      finding_ = Finding{FindingId::verify_interrupted, "stopped before the GPU was verified",
                         "metal-unlock verify"};
    return finding_ ? std::nullopt : std::optional{*finished};
  }

  System& system_;
  const Launch& launch_;
  const TrialOptions& options_;
  Progress progress_;
  Capabilities stock_;
  GpuVerdict verdict_;
  bool is_over_ = false;  ///< no further check would say anything
  std::optional<Finding> finding_;
};

}  // namespace

Launch prepare_trial(System& system, const LaunchOptions& options) {
  LaunchOptions quiet = options;
  quiet.log = false;
  const Outlook outlook{.places_shim = true,
                        .is_target = true,
                        .is_examined = true,
                        .listener = listening_descriptor,
                        .must_take_effect = true};
  return prepare_launch(system, quiet, check_words(system, all_checks().front().name, 0), outlook);
}

Result<GpuVerdict> run_trial(System& system, const Launch& launch, const TrialOptions& options) {
  return Trial{system, launch, options}.run();
}

}  // namespace metal_unlock
