// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <set>

using namespace metal_unlock;

TEST_CASE("every parser keeps its promises about every seed, whole and cut off anywhere") {
  for (const FuzzTarget& target : fuzz_targets()) {
    CAPTURE(target.name);
    const std::vector<FuzzSeed> seeds = fuzz_seeds(target.name);
    REQUIRE_FALSE(seeds.empty());
    std::set<std::string> names;
    for (const auto& [name, bytes] : seeds) {
      CAPTURE(name);
      CHECK(names.insert(name).second);
      CHECK_NOTHROW(target.check(bytes));
      const std::size_t step = 1 + bytes.size() / 40;
      for (std::size_t length = 0; length < bytes.size(); length += step)
        CHECK_NOTHROW(target.check(std::string_view{bytes}.substr(0, length)));
    }
  }
}

TEST_CASE("a broken promise does not go unnoticed") {
  CHECK_NOTHROW(promise(true, "kept"));
  CHECK_THROWS_AS(promise(false, "broken"), BrokenPromise);
}

TEST_CASE("what is promised about a finding is checked") {
  const auto told = [](std::string sentence, std::string next) {
    promise_told({FindingId::usage, std::move(sentence), std::move(next)}, "input");
  };
  CHECK_NOTHROW(told("a\tb", "do"));
  CHECK_THROWS_AS(told("", "do"), BrokenPromise);
  CHECK_THROWS_AS(told("a", ""), BrokenPromise);
  CHECK_THROWS_AS(told(std::string(5000, 'a'), "do"), BrokenPromise);
  const auto placed = [](std::string sentence) {
    promise_placed({FindingId::profile_invalid, std::move(sentence), "do"}, "f", "one\ntwo");
  };
  CHECK_NOTHROW(placed("f:2:4: why"));
  CHECK_THROWS_AS(placed("g:2:4: why"), BrokenPromise);
  CHECK_THROWS_AS(placed("f:3:1: why"), BrokenPromise);
  CHECK_THROWS_AS(placed("f:1:9: why"), BrokenPromise);
  CHECK_THROWS_AS(placed("f: why"), BrokenPromise);
  CHECK_NOTHROW(promise_inside({ByteFaultKind::malformed, 10, "why"}, 10, 0));
  CHECK_THROWS_AS(promise_inside({ByteFaultKind::malformed, 11, "why"}, 10, 0), BrokenPromise);
  CHECK_THROWS_AS(promise_inside({ByteFaultKind::malformed, 9, "why"}, 10, 0), BrokenPromise);
  CHECK_THROWS_AS(promise_inside({ByteFaultKind::malformed, 10, ""}, 10, 0), BrokenPromise);
}
