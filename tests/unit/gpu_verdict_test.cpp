// SPDX-License-Identifier: MIT
#include "cli/verify/gpu_verdict.hpp"

#include "tests/catch.hpp"

#include <set>

using namespace metal_unlock;

namespace {

constexpr PassEnd all_ends[] = {PassEnd::correct, PassEnd::wrong,   PassEnd::refused,   PassEnd::no_device,
                                PassEnd::absent,  PassEnd::crashed, PassEnd::timed_out, PassEnd::not_run};

CheckPass ended(PassEnd end) { return {.end = end}; }

GpuVerdict good_verdict() {
  GpuVerdict verdict{.key = {"macOS 25F84", "Apple M1", "abc", "0.1.0"}, .was_unlocked = true};
  for (const Check& check : all_checks())
    verdict.capabilities.push_back(
        {std::string{check.name}, true, ended(PassEnd::refused), ended(PassEnd::correct)});
  return verdict;
}

Verdict claims(std::optional<std::uint64_t> family, FieldDecision decision = FieldDecision::raised) {
  Verdict verdict;
  FieldVerdict field;
  field.field = Field::apple_family;
  field.granted = decision == FieldDecision::raised ? family : std::nullopt;
  field.simulated = family;
  field.decision = decision;
  verdict.fields.push_back(field);
  return verdict;
}

}  // namespace

TEST_CASE("each end of the deciding pass has a state of its own") {
  GpuVerdict verdict = good_verdict();
  CapabilityVerdict& capability = verdict.capabilities.front();
  std::set<std::string_view> states;
  for (const PassEnd end : all_ends) {
    CAPTURE(to_text(end));
    capability.unlocked = ended(end);
    states.insert(to_text(state_of(verdict, capability)));
    CHECK(is_fine(verdict, capability) == (end == PassEnd::correct || end == PassEnd::absent));
    CHECK(verdict.is_good() == is_fine(verdict, capability));
    CHECK(fault_of(verdict).has_value() == !verdict.is_good());
  }
  CHECK(states == std::set<std::string_view>{"works unlocked", "wrong", "refused", "no device", "absent",
                                             "crashed", "timed out", "not run"});
  capability.stock = capability.unlocked = ended(PassEnd::correct);
  CHECK(to_text(state_of(verdict, capability)) == "works stock");
  // Works stock alone is not enough where programs will run unlocked.
  capability.unlocked = ended(PassEnd::wrong);
  CHECK(to_text(state_of(verdict, capability)) == "wrong");
  verdict.was_unlocked = false;
  CHECK(to_text(state_of(verdict, capability)) == "works stock");
}

TEST_CASE("what is not claimed does not spoil a verdict, a stuck GPU does") {
  GpuVerdict verdict = good_verdict();
  verdict.capabilities.back() = {"matrix-bfloat", false, {}, ended(PassEnd::wrong)};
  CHECK(verdict.is_good());
  CHECK(claimed_count(verdict) == all_checks().size() - 1);
  verdict.capabilities.back().is_claimed = true;
  CHECK_FALSE(verdict.is_good());
  CHECK(fault_of(verdict)->id == FindingId::gpu_faulty);
  CHECK(fine_count(verdict) == all_checks().size() - 1);
  verdict.capabilities.back().is_claimed = false;
  verdict.is_stuck = true;
  CHECK_FALSE(verdict.is_good());
  CHECK(fault_of(verdict)->id == FindingId::gpu_stuck);
}

TEST_CASE("the fault names what fails first, and everything in the details") {
  GpuVerdict verdict = good_verdict();
  verdict.capabilities[2].unlocked = {PassEnd::wrong, 0.5, 0.25, "element 3: 0 instead of 1"};
  verdict.capabilities[4].unlocked = {PassEnd::crashed, 0, 0, "signal 11 ended it"};
  const Finding fault = *fault_of(verdict);
  const std::string first{capability_name(verdict.capabilities[2])};
  CHECK(fault.sentence == "the GPU fails at 2 of 12 claimed capabilities (" + first + ": wrong)");
  CHECK(fault.details ==
        std::vector<std::string>{
            first + ": wrong: element 3: 0 instead of 1 (error 0.5, tolerance 0.25)",
            std::string{capability_name(verdict.capabilities[4])} + ": crashed: signal 11 ended it"});
}

TEST_CASE("a verdict holds for the same guest, chip, claims and version only") {
  const GpuVerdict verdict = good_verdict();
  CHECK(why_out_of_date(verdict, verdict.key).empty());
  const auto why = [&](void (*change)(VerdictKey&)) {
    VerdictKey key = verdict.key;
    change(key);
    return why_out_of_date(verdict, key);
  };
  CHECK(why([](VerdictKey& key) { key.guest = "macOS 25G10"; }) ==
        "it is of macOS 25F84, this is macOS 25G10");
  CHECK(why([](VerdictKey& key) { key.chip = "Apple M2"; }) == "it is of an Apple M1, this is an Apple M2");
  CHECK(why([](VerdictKey& key) { key.claims = "x"; }) == "it is of other claims");
  CHECK(why([](VerdictKey& key) { key.tool = "0.2.0"; }) == "it is of metal-unlock 0.1.0, this is 0.2.0");
  GpuVerdict stock = verdict;
  stock.was_unlocked = false;
  CHECK_FALSE(why_out_of_date(stock, verdict.key).empty());
  GpuVerdict shorter = verdict;
  shorter.capabilities.pop_back();
  CHECK_FALSE(why_out_of_date(shorter, verdict.key).empty());
}

TEST_CASE("the key names the build where it is known, and tells claims apart") {
  Machine machine;
  machine.os = "macOS";
  machine.os_version = "26.5.2";
  machine.chip = "Apple M1 (Virtual)";
  const VerdictKey key = verdict_key(machine, claims(1007), "0.1.0");
  CHECK(key.guest == "macOS 26.5.2");
  CHECK(key.chip == "Apple M1");
  CHECK(key.claims.size() == 64);
  machine.os_build = "25F84";
  CHECK(verdict_key(machine, claims(1007), "0.1.0").guest == "macOS 25F84");
  CHECK(verdict_key(machine, claims(1007), "0.1.0").claims == key.claims);
  CHECK(verdict_key(machine, claims(1009), "0.1.0").claims != key.claims);
  CHECK(verdict_key(machine, claims({}), "0.1.0").claims != key.claims);
  CHECK(verdict_key(machine, claims(1007, FieldDecision::simulated), "0.1.0").claims != key.claims);
}

TEST_CASE("a moment is a date in UTC") {
  CHECK(moment_text(0) == "1970-01-01 00:00 UTC");
  CHECK(moment_text(1'796'086'859) == "2026-12-01 01:00 UTC");
  CHECK(moment_text(253'402'300'799) == "9999-12-31 23:59 UTC");
}
