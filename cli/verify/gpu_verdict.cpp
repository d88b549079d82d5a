// SPDX-License-Identifier: MIT
#include "cli/verify/gpu_verdict.hpp"

#include "cli/core/sha256.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace metal_unlock {
namespace {

PassEnd end_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::correct:
      return PassEnd::correct;
    case Outcome::wrong:
      return PassEnd::wrong;
    case Outcome::refused:
      return PassEnd::refused;
    case Outcome::absent:
      return PassEnd::absent;
    case Outcome::no_device:
      break;
  }
  return PassEnd::no_device;
}

CapabilityState state_without_success(PassEnd end) {
  switch (end) {
    case PassEnd::wrong:
      return CapabilityState::wrong;
    case PassEnd::refused:
      return CapabilityState::refused;
    case PassEnd::no_device:
      return CapabilityState::no_device;
    case PassEnd::absent:
      return CapabilityState::absent;
    case PassEnd::crashed:
      return CapabilityState::crashed;
    case PassEnd::timed_out:
      return CapabilityState::timed_out;
    case PassEnd::correct:
    case PassEnd::not_run:
      break;
  }
  return CapabilityState::not_run;
}

/// Every answer that the shim is told to give, in one form.
std::string claims_text(const Verdict& claims) {
  std::string text;
  const auto add = [&](std::string_view kind, const Capabilities& capabilities) {
    for (const FieldRow& row : field_rows())
      if (const auto& amount = capabilities[row.field])
        text += formatted("{} {} {}\n", kind, row.key, *amount);
  };
  add("claim", claims.granted());
  add("simulated", claims.simulated());
  return text;
}

Finding stuck_finding(const GpuVerdict& verdict, const std::string& first, std::vector<std::string> details) {
  const auto not_run = std::ranges::count_if(verdict.capabilities, [&](const CapabilityVerdict& capability) {
    return deciding_pass(verdict, capability).end == PassEnd::not_run;
  });
  std::string rest;
  if (not_run > 0) rest = formatted(", and {} checks were not run", not_run);
  return {FindingId::gpu_stuck,
          formatted("after a failed check ({}) the GPU does not even run a trivial kernel: the guest needs a "
                    "restart{}",
                    first.empty() ? "of what is not claimed" : first, rest),
          "restart the guest, then: metal-unlock verify", std::move(details)};
}

bool covers_all_checks(const GpuVerdict& verdict) {
  return std::ranges::equal(verdict.capabilities, all_checks(), {}, &CapabilityVerdict::name, &Check::name);
}

}  // namespace

std::string_view to_text(PassEnd end) {
  constexpr std::array<std::string_view, 8> texts{"correct", "wrong",   "refused",   "no device",
                                                  "absent",  "crashed", "timed out", "not run"};
  return texts.at(static_cast<std::size_t>(end));
}

std::string_view to_text(CapabilityState state) {
  constexpr std::array<std::string_view, 9> texts{"works stock", "works unlocked", "absent",
                                                  "refused",     "wrong",          "crashed",
                                                  "timed out",   "no device",      "not run"};
  return texts.at(static_cast<std::size_t>(state));
}

CheckPass pass_of(const Judgement& judgement) {
  return {end_of(judgement.outcome), judgement.largest_error, judgement.tolerance, judgement.where};
}

VerdictKey verdict_key(const Machine& machine, const Verdict& claims, std::string_view tool) {
  const std::string& release = machine.os_build.empty() ? machine.os_version : machine.os_build;
  return {formatted("{} {}", machine.os, release), physical_chip(machine), sha256_of(claims_text(claims)),
          std::string{tool}};
}

const CheckPass& deciding_pass(const GpuVerdict& verdict, const CapabilityVerdict& capability) {
  return verdict.was_unlocked ? capability.unlocked : capability.stock;
}

CapabilityState state_of(const GpuVerdict& verdict, const CapabilityVerdict& capability) {
  const CheckPass& pass = deciding_pass(verdict, capability);
  if (pass.end != PassEnd::correct) return state_without_success(pass.end);
  return capability.stock.end == PassEnd::correct ? CapabilityState::works_stock
                                                  : CapabilityState::works_unlocked;
}

bool is_fine(const GpuVerdict& verdict, const CapabilityVerdict& capability) {
  const PassEnd end = deciding_pass(verdict, capability).end;
  return end == PassEnd::correct || end == PassEnd::absent;
}

bool GpuVerdict::is_good() const {
  return !is_stuck && std::ranges::all_of(capabilities, [&](const CapabilityVerdict& capability) {
    return !capability.is_claimed || is_fine(*this, capability);
  });
}

std::size_t claimed_count(const GpuVerdict& verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(verdict.capabilities, &CapabilityVerdict::is_claimed));
}

std::size_t fine_count(const GpuVerdict& verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(verdict.capabilities, [&](const auto& capability) {
    return capability.is_claimed && is_fine(verdict, capability);
  }));
}

std::string_view capability_name(const CapabilityVerdict& capability) {
  const Check* const check = find_check(capability.name);
  return check == nullptr ? std::string_view{capability.name} : check->capability;
}

std::string words_about(const CheckPass& pass) {
  std::string words{to_text(pass.end)};
  if (!pass.where.empty()) words += ": " + pass.where;
  if (pass.end == PassEnd::wrong && pass.tolerance > 0)
    words += formatted(" (error {:.3g}, tolerance {:.3g})", pass.largest_error, pass.tolerance);
  return words;
}

std::optional<Finding> fault_of(const GpuVerdict& verdict) {
  if (verdict.is_good()) return std::nullopt;
  std::vector<std::string> failing;
  std::string first;
  for (const CapabilityVerdict& capability : verdict.capabilities) {
    const CheckPass& pass = deciding_pass(verdict, capability);
    const bool is_told = capability.is_claimed && !is_fine(verdict, capability);
    if (!is_told || (pass.end == PassEnd::not_run && !failing.empty())) continue;
    failing.push_back(formatted("{}: {}", capability_name(capability), words_about(pass)));
    if (first.empty()) first = formatted("{}: {}", capability_name(capability), to_text(pass.end));
  }
  const std::size_t count = claimed_count(verdict) - fine_count(verdict);
  if (verdict.is_stuck) return stuck_finding(verdict, first, std::move(failing));
  return Finding{
      FindingId::gpu_faulty,
      formatted("the GPU fails at {} of {} claimed capabilities ({})", count, claimed_count(verdict), first),
      "see all of them: metal-unlock verify", std::move(failing)};
}

std::string moment_text(std::int64_t seconds_since_1970) {
  using namespace std::chrono;
  const sys_seconds moment{seconds{seconds_since_1970}};
  const sys_days day = floor<days>(moment);
  const year_month_day date{day};
  const std::int64_t minutes = (moment - day).count() / 60;
  return formatted("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60,
                   minutes % 60);
}

std::string why_out_of_date(const GpuVerdict& verdict, const VerdictKey& key) {
  const VerdictKey& had = verdict.key;
  if (had.tool != key.tool) return formatted("it is of metal-unlock {}, this is {}", had.tool, key.tool);
  if (had.guest != key.guest) return formatted("it is of {}, this is {}", had.guest, key.guest);
  if (had.chip != key.chip) return formatted("it is of an {}, this is an {}", had.chip, key.chip);
  if (had.claims != key.claims) return "it is of other claims";
  if (!verdict.was_unlocked || !covers_all_checks(verdict)) return "it does not cover all checks";
  return {};
}

}  // namespace metal_unlock
