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

std::string field_text(const HandoffFields& reading, const std::string& key) {
  const auto found = reading.find(key);
  return found == reading.end() ? "" : found->second;
}

std::uint64_t field_number(const HandoffFields& reading, const std::string& key) {
  const std::string text = field_text(reading, key);
  return text.empty() ? 0 : std::stoull(text);
}

void check_values(const Handoff& handoff, const HandoffFields& reading) {
  CHECK(handoff.class_count == reading.count("class"));
  std::size_t index = 0;
  for (auto [name, last] = reading.equal_range("class"); name != last; ++name, ++index)
    CHECK(handoff.classes[index] == name->second);
  CHECK(handoff.apple_family == field_number(reading, "apple-family"));
  CHECK(handoff.max_threadgroup_memory == field_number(reading, "max-threadgroup-memory"));
  CHECK(handoff.recommended_max_working_set == field_number(reading, "recommended-max-working-set"));
  CHECK(handoff.simulated_family == field_number(reading, "simulated-apple-family"));
  CHECK(handoff.simulated_threadgroup_memory == field_number(reading, "simulated-max-threadgroup-memory"));
  CHECK(handoff.simulated_working_set == field_number(reading, "simulated-recommended-max-working-set"));
  CHECK(handoff.metal == field_text(reading, "metal"));
  CHECK(handoff.report == field_text(reading, "report"));
  CHECK(handoff.report_descriptor ==
        (reading.contains("report-fd") ? static_cast<int>(field_number(reading, "report-fd")) : -1));
  CHECK((handoff.open == OpenMetal::always) == (field_text(reading, "open") == "always"));
  CHECK((handoff.open == OpenMetal::programs) == (field_text(reading, "open") == "programs"));
  CHECK(handoff.children == reading.contains("children"));
  CHECK(handoff.require == reading.contains("require"));
  CHECK(handoff.log == reading.contains("log"));
  CHECK(handoff.attached == reading.contains("attached"));
  CHECK(handoff.beyond_host == reading.contains("beyond-host"));
}

void check_children(const std::string& text, HandoffFields reading) {
  char told[max_handoff_length + 1];
  REQUIRE(handoff_for_children(text.c_str(), told));
  reading.erase("report-fd");
  reading.erase("attached");
  if (reading.contains("open")) reading.find("open")->second = "programs";
  Handoff handoff;
  REQUIRE(parse_handoff(told, handoff) == HandoffState::well_formed);
  check_values(handoff, reading);
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
    check_values(handoff, *reading);
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
    std::vector<std::string> expected = split(list, ": ");
    std::erase_if(expected, [](const std::string& entry) {
      const std::string name = entry.substr(entry.rfind('/') + 1);
      return name == "libmetal-unlock.so" || name == "libmetal-unlock.dylib";
    });
    if (expected.empty()) expected.emplace_back();
    std::string kept = list;
    const bool found = remove_own_entries(kept.data(), ": ");
    kept.resize(std::char_traits<char>::length(kept.c_str()));
    REQUIRE(split(kept, ": ") == expected);
    REQUIRE(found == (kept != list));
    changed += found ? 1 : 0;
  }
  CHECK(changed > mutation_count / 10);
  CHECK(changed < mutation_count);
}
