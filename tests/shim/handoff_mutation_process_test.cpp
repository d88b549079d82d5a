// SPDX-License-Identifier: MIT

// Mutated handoffs in real processes: the device answers what a second reading of the handoff says, or as
// stock.

#include "tests/catch.hpp"
#include "tests/handoff_mutations.hpp"
#include "tests/shim/shim_run.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

std::uint64_t claim(const HandoffFields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? 0 : std::stoull(found->second);
}

/// A claim raises the stock answer, a simulated smaller GPU lowers it.
std::uint64_t told(std::uint64_t stock, const HandoffFields& fields, const std::string& key) {
  const std::uint64_t simulated = claim(fields, "simulated-" + key);
  return simulated != 0 ? std::min(stock, simulated) : std::max(stock, claim(fields, key));
}

json expected(const std::string& handoff) {
  json answers{{"family", 1005}, {"memory", 16384}};
  const auto fields = strict_reading(handoff);
  if (!fields) return answers;
  const auto [first, last] = fields->equal_range("class");
  const bool is_named =
      std::any_of(first, last, [](const auto& field) { return field.second == "PlainDevice"; });
  if (!is_named) return answers;
  // The class has no such method, so nothing of it is overridden.
  if (fields->contains("recommended-max-working-set") ||
      fields->contains("simulated-recommended-max-working-set"))
    return fields->contains("require") ? json{{"exit", 125}} : answers;
  answers["family"] = told(1005, *fields, "apple-family");
  answers["memory"] = told(16384, *fields, "max-threadgroup-memory");
  return answers;
}

}  // namespace

TEST_CASE("with a mutated handoff no process crashes or hangs, and an answer is the claimed one or stock") {
  const std::size_t handoff_count = 500 / static_cast<std::size_t>(entrance().share);
  Mutator mutator;
  std::vector<std::string> handoffs;
  std::string input;
  while (handoffs.size() < handoff_count) {
    handoffs.push_back(mutator.handoff_without_report());
    input += handoffs.back() + "\n";
  }
  const ShimOutcome outcome = run_with_shim({.argv = {"handoff-client", shim_under_test()},
                                             .environment = {{entrance().preload_variable, ""}},
                                             .input = input});
  REQUIRE(outcome.lines.size() == handoffs.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < handoffs.size(); ++i) {
    CAPTURE(handoffs[i]);
    CHECK(outcome.lines[i] == expected(handoffs[i]));
    differing += outcome.lines[i] != expected("") ? 1 : 0;
  }
  CHECK(differing > handoff_count / 20);
  CHECK(differing < handoff_count / 2);
}
