// SPDX-License-Identifier: MIT
#include "cli/core/attach.hpp"
#include "cli/core/debugger_script.hpp"
#include "cli/verify/verdict_json.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {
namespace {

/// What this program cuts when it writes it, so it comes back shorter.
void forget_words(GpuVerdict& verdict) {
  for (CapabilityVerdict& capability : verdict.capabilities) {
    capability.stock.where.clear();
    capability.unlocked.where.clear();
  }
}

void check_pass_line(std::string_view bytes) {
  const auto pass = parse_pass_line(bytes);
  if (!pass) return;
  const auto again = parse_pass_line(pass_line(*pass));
  promise(again && again->end == pass->end && again->largest_error == pass->largest_error,
          "the line of a check that is written reads");
  promise(!words_about(*pass).empty(), "a pass is put into words");
}

bool is_words_of_one_line(std::string_view words, std::string_view text) {
  return words.find('\n') == std::string_view::npos && text.find(words) != std::string_view::npos;
}

}  // namespace

/// The file of the remembered verdict, and what the process of a check prints.
void fuzz_verdict(std::string_view bytes) {
  check_pass_line(bytes);
  auto verdict = parse_verdict_memory(bytes);
  if (!verdict) return;
  promise(!moment_text(verdict->verified_at).empty(), "a verdict has a date");
  VerdictKey other = verdict->key;
  other.claims += 'x';
  promise(!why_out_of_date(*verdict, other).empty(), "a verdict does not hold for other claims");
  promise(verdict->is_good() || fault_of(*verdict) || claimed_count(*verdict) == 0,
          "a verdict that is not good says why");
  if (const auto fault = fault_of(*verdict)) promise_told(*fault, bytes);
  auto again = parse_verdict_memory(verdict_memory(*verdict));
  promise(again.has_value(), "a verdict that is written reads");
  forget_words(*verdict);
  forget_words(*again);
  promise(*again == *verdict, "a verdict that is written reads as it was");
}

/// What the shim and the debugger say of a process that was attached to; the process may write there, too.
void fuzz_attach(std::string_view bytes) {
  const AttachProof proof = read_attach_proof(bytes);
  promise(is_words_of_one_line(proof.device_class, bytes), "a class is part of a line");
  const ProcessFacts process{.pid = 7};
  if (const auto finding = missing_effect(process, proof)) promise_told(*finding, bytes);
  const DebuggerOutcome outcome = read_debugger_outcome(bytes);
  promise(is_words_of_one_line(outcome.text, bytes), "a debugger's words are part of a line");
  if (outcome.verdict != DebuggerVerdict::loaded)
    promise_told(attach_failure(process, DebuggerKind::gdb, outcome), bytes);
}

}  // namespace metal_unlock
