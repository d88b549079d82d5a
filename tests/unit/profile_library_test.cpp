// SPDX-License-Identifier: MIT
#include "cli/core/profile_library.hpp"

#include "cli/core/select.hpp"
#include "cli/core/validate.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace metal_unlock;

namespace {

using Names = std::vector<std::string>;

const std::string head = "schema = 1\ndescription = \"a sample\"\n";
const std::string evidence = "[[evidence]]\nmark = \"inferred\"\nsource = \"a test\"\n";

UserProfile user(const std::string& name, const std::string& body) {
  return {"/home/me/profiles/" + name + ".toml", head + body};
}

ProfileLibrary library(std::vector<UserProfile> files = {}) {
  return {built_in_profiles(), std::move(files)};
}

Profile loaded(const ProfileLibrary& profiles, std::string_view name) {
  Result<Profile> profile = profiles.load(name);
  INFO((profile ? "" : profile.finding().sentence));
  REQUIRE(profile);
  return *std::move(profile);
}

std::string fault(const Result<Profile>& profile) { return profile ? "none" : profile.finding().sentence; }

/// What a chip is, written down apart from the profiles: name, family, brand string.
struct Chip {
  std::string name;
  std::uint64_t family;
  std::string brand;
};

const std::vector<Chip> chips{
    {"m1", 1007, "Apple M1"},         {"m1-pro", 1007, "Apple M1 Pro"},
    {"m1-max", 1007, "Apple M1 Max"}, {"m1-ultra", 1007, "Apple M1 Ultra"},
    {"m2", 1008, "Apple M2"},         {"m2-pro", 1008, "Apple M2 Pro"},
    {"m2-max", 1008, "Apple M2 Max"}, {"m2-ultra", 1008, "Apple M2 Ultra"},
    {"m3", 1009, "Apple M3"},         {"m3-pro", 1009, "Apple M3 Pro"},
    {"m3-max", 1009, "Apple M3 Max"}, {"m3-ultra", 1009, "Apple M3 Ultra"},
    {"m4", 1009, "Apple M4"},         {"m4-pro", 1009, "Apple M4 Pro"},
    {"m4-max", 1009, "Apple M4 Max"}, {"a18-pro", 1009, "Apple A18 Pro"},
    {"m5", 1010, "Apple M5"},         {"m5-pro", 1010, "Apple M5 Pro"},
    {"m5-max", 1010, "Apple M5 Max"}, {"m5-ultra", 1010, "Apple M5 Ultra"},
    {"m6", 1011, "Apple M6"},
};

}  // namespace

TEST_CASE("every built-in chip has the family and memory that are known of it") {
  const ProfileLibrary profiles = library();
  for (const Chip& chip : chips) {
    CAPTURE(chip.name);
    const Profile profile = loaded(profiles, chip.name);
    CHECK(profile.match == Names{chip.brand});
    for (const Capabilities& amounts : {profile.claims, profile.ceiling}) {
      CHECK(amounts[Field::apple_family] == chip.family);
      CHECK(amounts[Field::max_threadgroup_memory] == 32768);
      CHECK_FALSE(amounts[Field::recommended_max_working_set]);
    }
  }
}

TEST_CASE("every built-in profile loads, names its evidence, and is a chip of the table or a family") {
  std::set<std::string> known;
  for (const Chip& chip : chips) known.insert(chip.name);
  for (int family = 5; family <= 11; ++family) known.insert("apple" + std::to_string(family));
  const ProfileLibrary profiles = library();
  std::set<std::string> found;
  for (const BuiltInProfile& file : built_in_profiles()) {
    CAPTURE(file.path);
    const Profile profile = loaded(profiles, file.name);
    found.insert(profile.name);
    CHECK(profile.path == file.path);
    CHECK(profile.layer == ProfileLayer::built_in);
    CHECK_FALSE(profile.evidence.empty());
    const bool is_family = file.path.starts_with("profiles/families/");
    CHECK(profile.match.size() == (is_family ? 0 : 1));
    CHECK(profile.lineage.size() == (is_family ? 0 : 1));
    if (is_family)
      CHECK("apple" + std::to_string(*profile.claims[Field::apple_family] - 1000) == profile.name);
    for (const auto& [field, origin] : profile.claim_origins) CHECK(origin.starts_with("profiles/families/"));
  }
  CHECK(found == known);
}

TEST_CASE("a built-in profile is found by its chip, and never needs lowering there") {
  const ProfileLibrary profiles = library();
  for (const Chip& chip : chips) {
    CAPTURE(chip.brand);
    for (const auto& match : {profiles.built_in_matching(chip.brand), profiles.matching(chip.brand)}) {
      REQUIRE(match);
      REQUIRE(*match);
      CHECK((*match)->name == chip.name);
    }
    const auto selection = select(profiles, chip.brand, {});
    REQUIRE(selection);
    const Verdict verdict = validate(*selection, {}, false);
    CHECK(verdict.findings.empty());
    CHECK(verdict.granted() == selection->profile.claims);
  }
}

TEST_CASE("a chip is matched as a whole") {
  const ProfileLibrary profiles = library();
  for (const char* chip : {"Apple M9", "Apple M", "M1", "apple m1", "Apple M1 (Virtual)", "Apple M1 ", ""}) {
    CAPTURE(chip);
    const auto match = profiles.matching(chip);
    REQUIRE(match);
    CHECK_FALSE(*match);
  }
}

TEST_CASE("the fallback is the family that every Mac with Apple silicon has") {
  const auto fallback = library().fallback();
  REQUIRE(fallback);
  CHECK(fallback->name == "apple7");
  const auto users = library({user("apple7", "[claims]\napple_family = 1009\n")}).fallback();
  REQUIRE(users);
  CHECK(users->claims[Field::apple_family] == 1007);
  const BuiltInProfile one{"m1", "profiles/chips/m1.toml", "schema = 1\ndescription = \"a\"\n"};
  CHECK(fault(ProfileLibrary{{&one, 1}, {}}.fallback()) == "no built-in family is the fallback");
}

TEST_CASE("a user's file adds a profile, or replaces the built-in one of its name") {
  const ProfileLibrary profiles =
      library({user("mine", "extends = \"apple8\"\n"), user("m1", "[claims]\napple_family = 1003\n")});
  const Profile mine = loaded(profiles, "mine");
  CHECK(mine.layer == ProfileLayer::user);
  CHECK(mine.path == "/home/me/profiles/mine.toml");
  CHECK(mine.claims[Field::apple_family] == 1008);
  CHECK(mine.claim_origins.at(Field::apple_family) == "profiles/families/apple8.toml");
  const Profile m1 = loaded(profiles, "m1");
  CHECK(m1.layer == ProfileLayer::user);
  CHECK(m1.claims[Field::apple_family] == 1003);
  CHECK_FALSE(m1.claims[Field::max_threadgroup_memory]);
  CHECK(m1.claim_origins.at(Field::apple_family) == "/home/me/profiles/m1.toml");
  CHECK(loaded(library(), "m1").layer == ProfileLayer::built_in);

  std::size_t named_m1 = 0;
  const auto entries = profiles.entries();
  for (const ProfileEntry& entry : entries)
    if (entry.name == "m1") ++named_m1;
  CHECK(named_m1 == 1);
  CHECK(entries.size() == built_in_profiles().size() + 1);
  CHECK(std::ranges::is_sorted(entries, {}, &ProfileEntry::name));
}

TEST_CASE("a user's file may extend the built-in profile that it replaces") {
  const ProfileLibrary profiles =
      library({user("m4-max", "extends = \"m4-max\"\n[claims]\napple_family = 1007\n")});
  const Profile profile = loaded(profiles, "m4-max");
  CHECK(profile.lineage == Names{"m4-max", "apple9"});
  CHECK(profile.claims[Field::apple_family] == 1007);
  CHECK(profile.claims[Field::max_threadgroup_memory] == 32768);
  CHECK(profile.ceiling[Field::apple_family] == 1009);
  CHECK(profile.chip.architecture == loaded(library(), "m4-max").chip.architecture);
  CHECK(profile.evidence.size() == loaded(library(), "m4-max").evidence.size());
  CHECK(profile.match.empty());  // never inherited
  // It stands in for the built-in profile even though it does not repeat `match`.
  const auto match = profiles.matching("Apple M4 Max");
  REQUIRE(match);
  REQUIRE(*match);
  CHECK((*match)->layer == ProfileLayer::user);
  CHECK((*profiles.built_in_matching("Apple M4 Max"))->layer == ProfileLayer::built_in);
}

TEST_CASE("a built-in profile never sees a user's file as its parent") {
  const ProfileLibrary profiles = library({user("apple7", "[claims]\napple_family = 1009\n")});
  CHECK(loaded(profiles, "m1").claims[Field::apple_family] == 1007);
  CHECK(loaded(profiles, "apple7").claims[Field::apple_family] == 1009);
}

TEST_CASE("a file named on the command line sees the user's files, then the built-in ones") {
  const ProfileLibrary profiles = library({user("m1", "extends = \"m1\"\n[claims]\napple_family = 1003\n")});
  const auto profile = profiles.load_text(head + "extends = \"m1\"\n", "dir/m1.toml");
  REQUIRE(profile);
  CHECK(profile->layer == ProfileLayer::named_file);
  CHECK(profile->lineage == Names{"m1", "m1", "apple7"});
  CHECK(profile->claims[Field::apple_family] == 1003);
  CHECK(fault(profiles.load_text(head + "extends = \"x\"\n", "x.toml")) ==
        "x.toml:3:11: extends 'x': a profile cannot extend itself");
}

TEST_CASE("a user's file that matches the chip comes before the built-in profile") {
  const std::string match = "match = [\"Apple M1\"]\n";
  const ProfileLibrary profiles =
      library({user("a", match + "[claims]\napple_family = 1003\n" + evidence), user("b", match + evidence)});
  const auto matching = profiles.matching("Apple M1");
  REQUIRE(matching);
  REQUIRE(*matching);
  CHECK((*matching)->name == "a");
  const auto other = profiles.matching("Apple M1 Pro");
  REQUIRE(other);
  CHECK((*other)->name == "m1-pro");
}

TEST_CASE("a cycle between user files is refused") {
  const ProfileLibrary profiles = library({user("a", "extends = \"b\"\n"), user("b", "extends = \"a\"\n"),
                                           user("c", "extends = \"a\"\n"), user("d", "extends = \"d\"\n")});
  for (const char* name : {"a", "b", "c"}) {
    CAPTURE(name);
    const auto profile = profiles.load(name);
    REQUIRE_FALSE(profile);
    CHECK(profile.finding().id == FindingId::profile_invalid);
    CHECK(fault(profile).find(".toml:3:11: extends '") != std::string::npos);
    CHECK(fault(profile).find("more than 8 parents, or a cycle") != std::string::npos);
  }
  CHECK(fault(profiles.load("d")) ==
        "/home/me/profiles/d.toml:3:11: extends 'd': a profile cannot extend itself");
}

TEST_CASE("eight parents are allowed and nine are not") {
  std::vector<UserProfile> files{user("p0", "[claims]\napple_family = 1002\n")};
  for (int i = 1; i <= 9; ++i)
    files.push_back(user("p" + std::to_string(i), "extends = \"p" + std::to_string(i - 1) + "\"\n"));
  const ProfileLibrary profiles = library(std::move(files));
  const Profile deepest = loaded(profiles, "p8");
  CHECK(deepest.lineage == Names{"p7", "p6", "p5", "p4", "p3", "p2", "p1", "p0"});
  CHECK(deepest.claims[Field::apple_family] == 1002);
  CHECK(fault(profiles.load("p9")).ends_with("more than 8 parents, or a cycle"));
}

TEST_CASE("a broken user file is told where it matters, and only there") {
  const UserProfile broken{"/home/me/profiles/bad.toml", std::string{"schema = 1\n"}};
  const UserProfile unreadable{"/home/me/profiles/m2.toml",
                               Finding{FindingId::file_unreadable, "'m2.toml' cannot be read", "look"}};
  const ProfileLibrary profiles = library({broken, unreadable, user("child", "extends = \"bad\"\n")});
  CHECK(fault(profiles.load("m1")) == "none");
  CHECK(fault(profiles.load("bad")) == "/home/me/profiles/bad.toml:1:1: description is missing");
  CHECK(fault(profiles.load("child")) == fault(profiles.load("bad")));
  CHECK(fault(profiles.load("m2")) == "'m2.toml' cannot be read");
  CHECK_FALSE(profiles.matching("Apple M1"));  // it might have been the one
  CHECK_FALSE(library({unreadable}).matching("Apple M1"));
  CHECK(profiles.built_in_matching("Apple M1"));
  CHECK(library({user("fine", "")}).matching("Apple M1"));
}

TEST_CASE("an unknown name is a finding that lists near names") {
  const auto profile = library().load("m1-ulta");
  REQUIRE_FALSE(profile);
  CHECK(profile.finding().id == FindingId::profile_unknown);
  CHECK(profile.finding().sentence == "no profile is named 'm1-ulta'");
  CHECK(profile.finding().next ==
        "did you mean m1-ultra, m2-ultra or m3-ultra? or see: metal-unlock profiles list");
  const auto far = library().load("quantum");
  REQUIRE_FALSE(far);
  CHECK(far.finding().next == "metal-unlock profiles list");
  const auto users = library({user("mine", "")}).load("mien");
  REQUIRE_FALSE(users);
  CHECK(users.finding().next.find("did you mean mine?") == 0);
}
