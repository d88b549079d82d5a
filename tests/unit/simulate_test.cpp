// SPDX-License-Identifier: MIT
#include "cli/core/profile_parse.hpp"
#include "cli/core/select.hpp"
#include "cli/core/validate.hpp"
#include "shim/handoff.hpp"
#include "tests/catch.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

const std::string simulated_head = "schema = 1\ndescription = \"a sample\"\n";
const std::string simulated_evidence = "[[evidence]]\nmark = \"inferred\"\nsource = \"a test\"\n";
const std::string simulated_profiles = "/home/me/.config/metal-unlock/profiles/";

std::string simulate_fault(const std::string& text) {
  const auto file = parse_profile(text, "p.toml", ProfileLayer::user);
  return file ? "" : file.finding().sentence;
}

shim::Handoff told_by_run(const RecordedSystem& system, const Ran& ran) {
  REQUIRE(ran.started);
  const std::string text{system.environment_of(*ran.started).get("METAL_UNLOCK_HANDOFF").value_or("")};
  shim::Handoff handoff;
  CAPTURE(text);
  REQUIRE(shim::parse_handoff(text.c_str(), handoff) == shim::HandoffState::well_formed);
  return handoff;
}

Profile loaded(const std::map<std::string, std::string>& files, const std::string& name) {
  std::vector<UserProfile> user;
  for (const auto& [stem, text] : files) user.push_back({"/u/" + stem + ".toml", text});
  auto profile = ProfileLibrary{built_in_profiles(), user}.load(name);
  INFO((profile ? "" : profile.finding().sentence));
  REQUIRE(profile);
  return *std::move(profile);
}

}  // namespace

TEST_CASE("a named profile simulates a smaller GPU: the shim is told, and everybody who looks") {
  RecordedSystem system;
  system.add_file(simulated_profiles + "small.toml",
                  simulated_head + "[simulate]\napple_family = 1003\nmax_threadgroup_memory = 16384\n");
  const Ran ran = system.run({"run", "--profile", "small", "--report", "/x/report", "--", "tool"});
  const shim::Handoff handoff = told_by_run(system, ran);
  CHECK(handoff.simulated_family == 1003);
  CHECK(handoff.simulated_threadgroup_memory == 16384);
  CHECK(handoff.apple_family == 0);
  CHECK(handoff.max_threadgroup_memory == 0);
  CHECK(holds(system.err, "profile 'small' simulates a smaller GPU [simulated]"));
  CHECK(holds(system.err, "  apple_family: at most Apple3\n"));
  const json plan = json::parse(system.files.at("/x/report").text);
  CHECK(plan.at("simulated") == json{{"apple_family", 1003}, {"max_threadgroup_memory", 16384}});
  CHECK(plan.at("claims") == json::object());

  RecordedSystem shown;
  shown.add_file(simulated_profiles + "small.toml", simulated_head + "[simulate]\napple_family = 1003\n");
  CHECK(shown.run({"run", "--dry-run", "--profile", "small", "tool"}).status == 0);
  CHECK(holds(shown.out, "at most Apple3"));
  CHECK(holds(shown.out, "simulated to Apple3"));
  RecordedSystem ordinary;
  const Ran usual = ordinary.run({"run", "--report", "/x/report", "--", "tool"});
  CHECK(told_by_run(ordinary, usual).simulated_family == 0);
  CHECK_FALSE(json::parse(ordinary.files.at("/x/report").text).contains("simulated"));
}

TEST_CASE("nothing is simulated by a profile that the chip has chosen") {
  RecordedSystem system;
  system.add_file(simulated_profiles + "m1-ultra.toml", simulated_head + "[simulate]\napple_family = 1003\n");
  const Ran ran = system.run({"run", "--", "tool"});
  REQUIRE(ran.started);
  CHECK(ran.started->change.empty());
  CHECK_FALSE(holds(system.err, "simulates"));
  CHECK(told_by_run(system, system.run({"run", "--profile", "m1-ultra", "--", "tool"})).simulated_family ==
        1003);
}

TEST_CASE("on bare metal nothing is simulated either") {
  RecordedSystem system("bare-metal-m1-ultra");
  system.add_file(simulated_profiles + "small.toml", simulated_head + "[simulate]\napple_family = 1003\n");
  const Ran ran = system.run({"run", "--profile", "small", "--", "tool"});
  REQUIRE(ran.started);
  CHECK(ran.started->change.empty());
}

TEST_CASE("one file says one thing about a field") {
  struct Row {
    std::string mistake;
    std::string part;
    std::string correct;
  };
  const Row rows[] = {
      {simulated_head + "[claims]\napple_family = 1006\n[simulate]\napple_family = 1003\n",
       "in more than one of",
       simulated_head + "[claims]\napple_family = 1006\n[simulate]\nmax_threadgroup_memory = 16384\n"},
      {simulated_head + "extends = \"m1\"\nwithout = [\"apple_family\"]\n[claims]\napple_family = 1006\n",
       "in more than one of",
       simulated_head +
           "extends = \"m1\"\nwithout = [\"max_threadgroup_memory\"]\n[claims]\napple_family = 1006\n"},
      {simulated_head + "without = [\"apple_family\"]\n", "extends none",
       simulated_head + "extends = \"m1\"\nwithout = [\"apple_family\"]\n"},
      {simulated_head + "extends = \"m1\"\nwithout = [\"apple_famly\"]\n", "did you mean apple_family",
       simulated_head + "extends = \"m1\"\nwithout = [\"apple_family\"]\n"},
      {simulated_head + "match = [\"Apple M1\"]\n[simulate]\napple_family = 1003\n" + simulated_evidence,
       "cannot have match",
       simulated_head + "match = [\"Apple M1\"]\n[claims]\napple_family = 1003\n" + simulated_evidence},
      {simulated_head + "[simulate]\nmetal_family = 5001\n", "'metal_family' is never claimed",
       simulated_head + "[simulate]\napple_family = 1001\n"},
      {simulated_head + "[simulate]\napple_family = 1000\n", "not within",
       simulated_head + "[simulate]\napple_family = 1001\n"},
      {simulated_head + "[simulate]\nmax_threadgroup_memory = 17\n", "not a multiple of 16",
       simulated_head + "[simulate]\nmax_threadgroup_memory = 16\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.mistake);
    CHECK(holds(simulate_fault(row.mistake), row.part));
    CHECK(simulate_fault(row.correct) == "");
  }
}

TEST_CASE("the nearest file that speaks about a field decides it, and is its origin") {
  const std::string claims = simulated_head + "[claims]\napple_family = 1006\n";
  const Profile simulating = loaded(
      {{"a", simulated_head + "extends = \"b\"\n[simulate]\napple_family = 1003\n"}, {"b", claims}}, "a");
  CHECK_FALSE(simulating.claims[Field::apple_family]);
  CHECK(simulating.simulated[Field::apple_family] == 1003);
  CHECK(simulating.claim_origins.at(Field::apple_family) == "/u/a.toml");

  const Profile claiming = loaded({{"a", simulated_head + "extends = \"b\"\n[claims]\napple_family = 1007\n"},
                                   {"b", simulated_head + "[simulate]\napple_family = 1003\n"}},
                                  "a");
  CHECK(claiming.claims[Field::apple_family] == 1007);
  CHECK_FALSE(claiming.simulated[Field::apple_family]);

  const Profile dropping =
      loaded({{"m1", simulated_head + "extends = \"m1\"\nwithout = [\"max_threadgroup_memory\"]\n"}}, "m1");
  CHECK_FALSE(dropping.claims[Field::max_threadgroup_memory]);
  CHECK(dropping.claims[Field::apple_family] == 1007);
  CHECK(dropping.claim_origins.at(Field::max_threadgroup_memory) == "/u/m1.toml");
  CHECK(dropping.claim_origins.at(Field::apple_family) == "profiles/families/apple7.toml");
  CHECK(dropping.ceiling_origins.at(Field::apple_family) == "profiles/families/apple7.toml");
}

TEST_CASE("profiles show gives the origin of every value, and what becomes of it on this machine") {
  RecordedSystem adds;
  adds.add_file(
      simulated_profiles + "m1-ultra.toml",
      simulated_head + "extends = \"m1-ultra\"\n[claims]\nrecommended_max_working_set = 8589934592\n");
  CHECK(adds.run({"profiles", "show", "m1-ultra"}).status == 0);
  CAPTURE(adds.out);
  CHECK(holds(adds.out, simulated_profiles + "m1-ultra.toml"));
  CHECK(holds(squeezed(adds.out), "apple_family Apple7 profiles/families/apple7.toml"));
  CHECK(
      holds(squeezed(adds.out), "recommended_max_working_set 8 GiB " + simulated_profiles + "m1-ultra.toml"));
  CHECK(holds(adds.out, "On this machine, with the ceiling of apple7 (Apple M1 Ultra):\n"));
  CHECK(holds(squeezed(adds.out), "Apple5 Apple7 Apple7 raised to Apple7 within the ceiling\n"));
  CHECK(holds(squeezed(adds.out), "8 GiB unknown lowered no ceiling is known\n"));

  RecordedSystem removes;
  removes.add_file(simulated_profiles + "m1-ultra.toml",
                   simulated_head + "extends = \"m1-ultra\"\nwithout = [\"apple_family\"]\n");
  CHECK(removes.run({"profiles", "show", "m1-ultra", "--json"}).status == 0);
  const json shown = json::parse(removes.out).at("profiles").at(0);
  CHECK(shown.at("claims").at("apple_family") ==
        json{{"claim", nullptr}, {"origin", simulated_profiles + "m1-ultra.toml"}});
  CHECK(shown.at("claims").at("max_threadgroup_memory").at("origin") == "profiles/families/apple7.toml");
  CHECK(shown.at("here").at("fields").at(0).at("decision") == "stock");

  RecordedSystem host("bare-metal-m1-ultra");
  CHECK(host.run({"profiles", "show", "m1-ultra"}).status == 0);
  CHECK_FALSE(holds(host.out, "On this machine"));
  CHECK_FALSE(host.did("ask metal"));
}
