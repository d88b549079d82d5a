// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/core/decide.hpp"
#include "cli/core/preflight.hpp"
#include "cli/core/program.hpp"
#include "cli/core/select.hpp"
#include "cli/core/validate.hpp"
#include "cli/platform/system.hpp"
#include "cli/verify/gpu_verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// Whether a start that is to be verified may be: a dry run starts nothing.
enum class Verifying : std::uint8_t { never, from_memory, now };

/// How the pipeline is to look at the world.
struct Outlook {
  bool places_shim = false;  ///< write the shim's file; a dry run must not
  bool is_target = true;     ///< the command is the target itself; false: a shell whose programs are
  bool is_examined = false;  ///< nothing is started, so nothing is switched off
  bool may_watch = false;    ///< somebody may listen for the shim after this process has become the target
  std::string report = {};   ///< file for the report; empty: none
  int listener = -1;         ///< descriptor, in the target, of whoever listens already; -1: nobody
  Verifying verifying = Verifying::never;
  bool shows_progress = false;  ///< of verifying, where stderr is a terminal
  bool is_running = false;  ///< the target runs already: nothing of it is ended, nor kept for its children
  bool must_take_effect = false;  ///< the shim ends the target where it cannot unlock, whatever the policy
};

/// What a start knows of the GPU.
struct ConsultedVerdict {
  GpuVerdict verdict;
  bool is_remembered = false;  ///< it was made by an earlier start, or by `verify`
};

/// Everything the stages found out, and the finished plan.
struct Launch {
  Settings settings;
  Machine machine;
  Need need = Need::no_mac;
  std::optional<Selection> selection;
  std::optional<Verdict> verdict;
  std::optional<Target> target;
  std::optional<Clearance> clearance;
  std::optional<Program> program;  ///< what is known of the target
  std::optional<ConsultedVerdict> gpu;
  std::vector<Finding> findings;  ///< of all stages
  Decision decision;
  Scope scope;
  std::string shim;
  Plan plan;
};

/// The stock answers of the first device that may be unlocked; empty where Metal has none. Starts Metal,
/// which `run` itself must never do.
Capabilities stock_answers(System& system);

/// observe → select → validate → resolve target → preflight → decide → verify → plan. An empty command stands
/// for whatever is started later in the same environment.
Launch prepare_launch(System& system, const LaunchOptions& options, const std::vector<std::string>& command,
                      const Outlook& outlook);

/// Has the target start stock, for the reason that this finding gives.
void fall_back_to_stock(const System& system, const std::vector<std::string>& command, const Finding& reason,
                        Launch& launch);

}  // namespace metal_unlock
