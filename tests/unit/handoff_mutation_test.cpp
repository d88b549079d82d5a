// SPDX-License-Identifier: MIT
#include "shim/handoff.hpp"
#include "shim/preload_list.hpp"
#include "tests/catch.hpp"
#include "tests/handoff_mutations.hpp"

#include <string>
#include <vector>

using namespace metal_unlock;
using namespace metal_unlock::shim;

namespace {

constexpr int mutation_count = 100'000;

void check_children(const std::string& text, const HandoffFields& reading) {
  char told[max_handoff_length + 1];
  REQUIRE(handoff_for_children(text.c_str(), told));
  Handoff handoff;
  REQUIRE(parse_handoff(told, handoff) == HandoffState::well_formed);
  CHECK(difference(handoff, for_children(reading)).empty());
}

}  // namespace

TEST_CASE("a mutated handoff is well formed only where a second, strict reading agrees") {
  Mutator mutator;
  int well_formed = 0;
  for (int i = 0; i < mutation_count; ++i) {
    const std::string text = mutator.handoff();
    CAPTURE(text);
    Handoff handoff;
    const HandoffState state = parse_handoff(text.c_str(), handoff);
    const auto reading = strict_reading(text);
    REQUIRE((state == HandoffState::well_formed) == reading.has_value());
    if (!reading) continue;
    ++well_formed;
    CHECK(difference(handoff, *reading).empty());
    check_children(text, *reading);
  }
  CHECK(well_formed > mutation_count / 10);
  CHECK(well_formed < mutation_count / 2);
}

TEST_CASE("in a mutated preload list exactly our entries go and the others keep their order") {
  Mutator mutator;
  int changed = 0;
  for (int i = 0; i < mutation_count; ++i) {
    const std::string list = mutator.preload_list();
    CAPTURE(list);
    std::string kept = list;
    const bool found = remove_own_entries(kept.data(), ": ");
    kept.resize(std::char_traits<char>::length(kept.c_str()));
    REQUIRE(split(kept, ": ") == split(without_own_entries(list), ":"));
    REQUIRE(found == (kept != list));
    changed += found ? 1 : 0;
  }
  CHECK(changed > mutation_count / 10);
  CHECK(changed < mutation_count);
}

TEST_CASE("a field that differs from the second reading is named") {
  const std::string text = "v1;class=A;apple-family=1007;metal=/m;open=always;log;end";
  const auto reading = strict_reading(text);
  REQUIRE(reading);
  Handoff handoff;
  REQUIRE(parse_handoff(text.c_str(), handoff) == HandoffState::well_formed);
  CHECK(difference(handoff, *reading).empty());
  CHECK(difference(handoff, for_children(*reading)) == "open");
  Handoff other = handoff;
  other.apple_family = 1008;
  CHECK(difference(other, *reading) == "apple-family");
  other = handoff;
  other.log = false;
  CHECK(difference(other, *reading) == "log");
  other = handoff;
  other.classes[0][0] = 'B';
  CHECK(difference(other, *reading) == "class");
}
