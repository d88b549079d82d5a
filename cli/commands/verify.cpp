// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison_output.hpp"
#include "cli/commands/gpu_trial.hpp"
#include "cli/commands/output.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/verify_json.hpp"
#include "cli/text/verify_text.hpp"
#include "cli/verify/verdict_json.hpp"

#include <charconv>

namespace metal_unlock {
namespace {

int forget(System& system) {
  const Result<bool> dropped = system.forget_memory();
  if (!dropped) return fail(system, dropped.finding());
  const bool is_shown =
      print_answer(system, *dropped ? "the remembered verdict is dropped\n" : "no verdict was remembered\n");
  return is_shown ? status_fine : status_wrong;
}

/// Why only stock is verified; nothing where the launch is unlocked.
std::optional<Finding> why_stock_only(const Launch& launch) {
  if (launch.decision.action == Action::start_unlocked) return std::nullopt;
  if (launch.need == Need::bare_metal)
    return Finding{FindingId::verify_needless,
                   formatted("{}, so only stock is verified", reason_text(launch.need, launch.machine)),
                   "in a guest: metal-unlock verify"};
  if (!launch.decision.findings.empty())
    return Finding{FindingId::verify_impossible, "nothing can be unlocked here, so only stock is verified",
                   "metal-unlock doctor"};
  return Finding{FindingId::verify_needless,
                 formatted("profile '{}' claims nothing that can be raised here, so only stock is verified",
                           launch.selection ? launch.selection->profile.name : "none"),
                 launch.selection ? formatted("metal-unlock profiles show {}", launch.selection->profile.name)
                                  : "metal-unlock profiles list"};
}

/// Where no kernel can be run at all.
std::optional<Finding> why_nothing(const Launch& launch) {
  if (launch.need == Need::no_mac)
    return Finding{FindingId::verify_needless,
                   formatted("nothing to verify: {}", reason_text(launch.need, launch.machine)),
                   "in a guest: metal-unlock verify"};
  if (launch.need == Need::guest_without_gpu)
    return Finding{FindingId::no_device, "this guest has no paravirtual GPU, so nothing can be verified",
                   "give the virtual machine a display"};
  return std::nullopt;
}

bool show(System& system, const VerifyCommand& command, const GpuVerdict& verdict, const Launch& launch) {
  return print_answer(system, command.json ? verify_json(verdict, launch)
                                           : verify_text(verdict, launch, system.terminal(Stream::out)));
}

/// Says what is wrong; the table has the details already.
void tell_fault(System& system, const GpuVerdict& verdict) {
  std::optional<Finding> fault = fault_of(verdict);
  if (!fault) return;
  fault->details.clear();
  if (fault->id == FindingId::gpu_faulty)
    fault->next = "start programs with 'metal-unlock run --verify', which leaves them stock here";
  tell(system, *fault);
}

int verify(System& system, const VerifyCommand& command, const Launch& launch) {
  const std::optional<Finding> stock_only = why_stock_only(launch);
  if (stock_only) tell(system, *stock_only);
  const auto seconds = static_cast<double>(command.timeout_in_seconds);
  const Result<GpuVerdict> verdict = run_trial(system, launch, {.seconds = seconds});
  if (!verdict) {
    tell(system, verdict.finding());
    return verdict.finding().id == FindingId::verify_interrupted ? status_interrupted : status_wrong;
  }
  if (verdict->was_unlocked)
    if (const auto unkept = system.keep_memory(verdict_memory(*verdict))) tell(system, *unkept);
  if (!show(system, command, *verdict, launch)) return status_wrong;
  tell_fault(system, *verdict);
  const bool is_whole = !stock_only || stock_only->id == FindingId::verify_needless;
  return is_whole && verdict->is_good() ? status_fine : status_not_ready;
}

}  // namespace

int run(System& system, const VerifyCommand& command) {
  if (command.forget) return forget(system);
  const Launch launch = prepare_trial(system, command.launch);
  for (const Finding& finding : launch.decision.findings) tell(system, finding);
  if (launch.decision.action == Action::refuse) {
    const Finding& finding = launch.decision.findings.front();
    return finding.cause == Cause::mistake ? status_wrong : status_not_ready;
  }
  const std::optional<Finding> nothing = why_nothing(launch);
  if (!nothing) return verify(system, command, launch);
  tell(system, *nothing);
  if (command.json && !show(system, command, GpuVerdict{}, launch)) return status_wrong;
  return nothing->id == FindingId::verify_needless ? status_fine : status_not_ready;
}

int run(System& system, const CheckCommand& command) {
  system.end_with_starter();
  const Check* const check = find_check(command.name);
  Bytes memory;
  const char* const end = command.threadgroup_memory.data() + command.threadgroup_memory.size();
  const auto read = std::from_chars(command.threadgroup_memory.data(), end, memory.count);
  if (check == nullptr || read.ec != std::errc{} || read.ptr != end) {
    tell(system, {FindingId::usage,
                  formatted("there is no check '{}' with {} bytes", command.name, command.threadgroup_memory),
                  "metal-unlock verify"});
    return status_usage;
  }
  const Judgement judgement =
      check->run([&](const KernelCall& call) { return system.compute(call); }, memory);
  return print_answer(system, pass_line(pass_of(judgement))) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
