// SPDX-License-Identifier: MIT
#include "cli/core/validate.hpp"

#include "cli/core/select.hpp"
#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

const std::string sample_head = "schema = 1\ndescription = \"a sample\"\n";
const std::string sample_evidence = "[[evidence]]\nmark = \"inferred\"\nsource = \"a test\"\n";

ProfileLibrary library_of(std::vector<UserProfile> files = {}) {
  return {built_in_profiles(), std::move(files)};
}

UserProfile user_profile(const std::string& name, const std::string& body) {
  return {"/home/me/" + name + ".toml", sample_head + body};
}

ProfileRequest request_named(const std::string& name) { return {{name, "--profile"}, std::nullopt}; }
ProfileRequest file(const std::string& path, Result<std::string> text) { return {{path, "--profile"}, text}; }

Selection selected(const ProfileLibrary& profiles, std::string_view chip,
                   const ProfileRequest& request = {}) {
  auto selection = select(profiles, chip, request);
  INFO((selection ? "" : selection.finding().sentence));
  REQUIRE(selection);
  return *std::move(selection);
}

using Amount = std::optional<std::uint64_t>;

Selection selection_of(Field field, Amount claim, Amount ceiling, bool is_named) {
  Selection selection;
  selection.profile.name = "p";
  selection.profile.claims[field] = claim;
  selection.ceiling.amounts[field] = ceiling;
  selection.ceiling.origin = "apple7 (a chip)";
  selection.is_named = is_named;
  return selection;
}

}  // namespace

TEST_CASE("a profile setting is a path where it looks like one") {
  for (const char* path : {"a/b", "/m1", "./m1", "m1.toml", ".toml"}) CHECK(is_profile_path(path));
  for (const char* name : {"", "m1", "m1-ultra", "toml", "m1.tom", "m1.toml2"})
    CHECK_FALSE(is_profile_path(name));
}

TEST_CASE("a ceiling is measured where a host report is its source, and only there") {
  HostReport report;
  report.path = "/r.toml";
  report.chip = "Apple M1";
  report.device.families = {{1001}};
  report.device.max_threadgroup_memory = Bytes{32768};
  const auto measured = select(library_of(), "Apple M1", {}, report);
  REQUIRE(measured);
  CHECK(measured->ceiling.is_measured);
  CHECK(measured->ceiling.origin == "host report /r.toml (Apple M1)");
  CHECK_FALSE(selected(library_of(), "Apple M1").ceiling.is_measured);
}

TEST_CASE("without a request the chip chooses") {
  const Selection selection = selected(library_of(), "Apple M3 Pro");
  CHECK(selection.profile.name == "m3-pro");
  CHECK_FALSE(selection.is_named);
  CHECK(selection.reason == "its match names 'Apple M3 Pro'");
  CHECK(selection.ceiling.amounts[Field::apple_family] == 1009);
  CHECK(selection.ceiling.origin == "apple9 (Apple M3 Pro)");
}

TEST_CASE("a requested profile is held to the chip's own ceiling") {
  const Selection selection = selected(library_of(), "Apple M1", request_named("m4-max"));
  CHECK(selection.profile.name == "m4-max");
  CHECK(selection.is_named);
  CHECK(selection.reason == "--profile");
  CHECK(selection.profile.claims[Field::apple_family] == 1009);
  CHECK(selection.ceiling.amounts[Field::apple_family] == 1007);
  CHECK(selection.ceiling.origin == "apple7 (Apple M1)");
}

TEST_CASE("an unknown chip is never guessed upward") {
  const auto selection = select(library_of(), "Apple M9", {});
  REQUIRE_FALSE(selection);
  CHECK(selection.finding().id == FindingId::profile_none);
  CHECK(selection.finding().cause == Cause::circumstance);
  CHECK(selection.finding().sentence == "no profile matches the chip 'Apple M9'");
  CHECK(selection.finding().next.find("--profile apple7") != std::string::npos);
  const Selection requested = selected(library_of(), "Apple M9", request_named("apple9"));
  CHECK(requested.ceiling.amounts[Field::apple_family] == 1007);
  CHECK(requested.ceiling.origin == "apple7 (every Mac with Apple silicon)");
}

TEST_CASE("a user's ceiling counts only for a chip that no built-in profile names") {
  const std::string amounts =
      "[claims]\napple_family = 1012\n[ceiling]\napple_family = 1012\n" + sample_evidence;
  const Selection unknown =
      selected(library_of({user_profile("m9", "match = [\"Apple M9\"]\n" + amounts)}), "Apple M9");
  CHECK(unknown.ceiling.amounts[Field::apple_family] == 1012);
  CHECK(unknown.ceiling.origin == "m9 (Apple M9)");
  const Selection known =
      selected(library_of({user_profile("own", "match = [\"Apple M1\"]\n" + amounts)}), "Apple M1");
  CHECK(known.profile.name == "own");
  CHECK(known.ceiling.amounts[Field::apple_family] == 1007);
  const Selection none = selected(
      library_of(
          {user_profile("m9", "match = [\"Apple M9\"]\n[claims]\napple_family = 1012\n" + sample_evidence)}),
      "Apple M9");
  CHECK(none.ceiling.amounts[Field::apple_family] == 1007);
}

TEST_CASE("a file named by the user is read as a profile of its own") {
  const Selection selection = selected(
      library_of(), "Apple M1", file("dir/mine.toml", sample_head + "[claims]\napple_family = 1006\n"));
  CHECK(selection.profile.name == "mine");
  CHECK(selection.profile.layer == ProfileLayer::named_file);
  CHECK(selection.profile.claims[Field::apple_family] == 1006);
}

TEST_CASE("a fault of a requested profile is the user's own, one of a profile that was found is not") {
  const Finding unreadable{FindingId::file_unreadable, "'x.toml' cannot be read", "look"};
  struct Row {
    ProfileRequest request;
    FindingId id;
    std::string sentence;
  };
  const Row rows[] = {
      {request_named("m11"), FindingId::profile_unknown, "no profile is named 'm11' (set by --profile)"},
      {file("x.toml", unreadable), FindingId::file_unreadable, "'x.toml' cannot be read (set by --profile)"},
      {file("x.toml", std::string("schema = 1\n")), FindingId::profile_invalid,
       "x.toml:1:1: description is missing (set by --profile)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.sentence);
    const auto selection = select(library_of(), "Apple M1", row.request);
    REQUIRE_FALSE(selection);
    CHECK(selection.finding().id == row.id);
    CHECK(selection.finding().sentence == row.sentence);
    CHECK(selection.finding().cause == Cause::mistake);
    // The same is said where nothing is unlocked.
    const auto requested = requested_profile(library_of(), row.request);
    REQUIRE_FALSE(requested);
    CHECK(requested.finding() == selection.finding());
  }
  const auto found = select(library_of({user_profile("broken", "extend = 1\n")}), "Apple M1", {});
  REQUIRE_FALSE(found);
  CHECK(found.finding().id == FindingId::profile_invalid);
  CHECK(found.finding().cause == Cause::circumstance);
  CHECK(found.finding().severity == Severity::warn);
}

TEST_CASE("no request is no profile, and not a fault") {
  const auto none = requested_profile(library_of(), {});
  REQUIRE(none);
  CHECK_FALSE(*none);
  const auto one = requested_profile(library_of(), request_named("m1"));
  REQUIRE(one);
  REQUIRE(*one);
  CHECK((*one)->name == "m1");
}

TEST_CASE("every claim is measured against the ceiling") {
  using enum FieldDecision;
  constexpr Amount none;
  struct Row {
    Amount stock;
    Amount claim;
    Amount ceiling;
    bool is_named;
    bool allow;
    FieldDecision decision;
    Amount granted;
  };
  constexpr bool found = false;
  constexpr bool by_name = true;
  constexpr bool insists = true;
  const Row rows[] = {
      // Nothing claimed: stock, whatever else is known.
      {none, none, none, found, false, unclaimed, none},
      {1005, none, 1007, by_name, false, unclaimed, none},
      {1005, none, 1007, found, insists, unclaimed, none},
      {1009, none, 1007, by_name, insists, unclaimed, none},
      // Within the ceiling, stock not asked.
      {none, 1007, 1007, found, false, raised, 1007},
      {none, 1007, 1007, by_name, false, raised, 1007},
      {none, 1007, 1007, found, insists, raised, 1007},
      {none, 1001, 1007, found, false, raised, 1001},
      {none, 1006, 1007, by_name, insists, raised, 1006},
      // Within the ceiling, above stock.
      {1005, 1007, 1007, found, false, raised, 1007},
      {1005, 1006, 1007, by_name, false, raised, 1006},
      {1006, 1007, 1009, found, insists, raised, 1007},
      // Within the ceiling, stock reaches it.
      {1007, 1007, 1007, found, false, kept, none},
      {1007, 1007, 1007, by_name, false, kept, none},
      {1007, 1007, 1007, by_name, insists, kept, none},
      {1008, 1007, 1009, found, false, kept, none},
      {1009, 1001, 1007, by_name, false, kept, none},
      // Above the ceiling, in a profile that was found.
      {none, 1009, 1007, found, false, lowered, 1007},
      {1005, 1009, 1007, found, false, lowered, 1007},
      {1007, 1009, 1007, found, false, lowered, none},
      {1008, 1009, 1007, found, false, lowered, none},
      {none, 1008, 1007, found, false, lowered, 1007},
      // Above the ceiling, in a profile the user_profile request_named.
      {none, 1009, 1007, by_name, false, refused, none},
      {1005, 1009, 1007, by_name, false, refused, none},
      {1007, 1008, 1007, by_name, false, refused, none},
      // The user_profile insists.
      {none, 1009, 1007, by_name, insists, beyond_host, 1009},
      {1005, 1009, 1007, by_name, insists, beyond_host, 1009},
      {none, 1009, 1007, found, insists, beyond_host, 1009},
      // No ceiling is known: no amount is within it.
      {none, 1007, none, found, false, lowered, none},
      {1005, 1007, none, found, false, lowered, none},
      {none, 1007, none, by_name, false, refused, none},
      {1005, 1007, none, by_name, false, refused, none},
      {none, 1007, none, by_name, insists, beyond_host, 1007},
      {1005, 1007, none, found, insists, beyond_host, 1007},
  };
  for (const Row& row : rows) {
    CAPTURE(row.stock, row.claim, row.ceiling, row.is_named, row.allow);
    Capabilities stock;
    stock[Field::apple_family] = row.stock;
    const Selection selection = selection_of(Field::apple_family, row.claim, row.ceiling, row.is_named);
    const Verdict verdict = validate(selection, stock, row.allow);
    REQUIRE(verdict.fields.size() == field_rows().size());
    const FieldVerdict& family = verdict.fields[0];
    CHECK(family.field == Field::apple_family);
    CHECK(to_text(family.decision) == to_text(row.decision));
    CHECK(family.granted == row.granted);
    CHECK(verdict.granted()[Field::apple_family] == row.granted);
    CHECK(family.stock == row.stock);
    CHECK(family.claim == row.claim);
    CHECK(family.ceiling == row.ceiling);
    CHECK_FALSE(family.reason.empty());
    CHECK(verdict.fields[1].decision == unclaimed);
    const bool is_told = row.decision == refused || row.decision == lowered || row.decision == beyond_host;
    REQUIRE(verdict.findings.size() == (is_told ? 1 : 0));
    if (!is_told) continue;
    CHECK(verdict.findings[0].id == (row.decision == refused   ? FindingId::claim_above_ceiling
                                     : row.decision == lowered ? FindingId::claim_lowered
                                                               : FindingId::beyond_host));
  }
}

TEST_CASE("sizes are measured as families are") {
  const Field size = Field::max_threadgroup_memory;
  CHECK(validate(selection_of(size, 32768, 32768, true), {}, false).granted()[size] == 32768);
  CHECK(validate(selection_of(size, 65536, 32768, false), {}, false).granted()[size] == 32768);
  CHECK(validate(selection_of(size, 65536, 32768, true), {}, true).granted()[size] == 65536);
  CHECK(validate(selection_of(size, 65536, 32768, true), {}, false).granted().empty());
}

TEST_CASE("one finding lists every field of its decision") {
  Selection selection = selection_of(Field::apple_family, 1009, 1007, true);
  selection.profile.claims[Field::max_threadgroup_memory] = 65536;
  selection.ceiling.amounts[Field::max_threadgroup_memory] = 32768;
  selection.profile.claims[Field::recommended_max_working_set] = 17179869184;
  const Verdict verdict = validate(selection, {}, false);
  REQUIRE(verdict.findings.size() == 1);
  const Finding& finding = verdict.findings[0];
  CHECK(finding.sentence == "profile 'p' claims more than the ceiling of apple7 (a chip)");
  CHECK(finding.details ==
        std::vector<std::string>{
            "apple_family: claim Apple9, ceiling Apple7",
            "max_threadgroup_memory: claim 64 KiB, ceiling 32 KiB",
            "recommended_max_working_set: claim 16 GiB, ceiling unknown without a host report"});
  CHECK(finding.next.find("--allow-beyond-host") != std::string::npos);
  CHECK(finding.cause == Cause::mistake);

  selection.is_named = false;
  selection.profile.claims[Field::max_threadgroup_memory] = 16384;
  const Verdict lowered = validate(selection, {}, false);
  REQUIRE(lowered.findings.size() == 1);
  CHECK(lowered.findings[0].severity == Severity::note);
  CHECK(lowered.findings[0].details.size() == 2);
  CHECK(lowered.granted()[Field::max_threadgroup_memory] == 16384);
}

TEST_CASE("every decision about a field has a word of its own") {
  using enum FieldDecision;
  CHECK(to_text(unclaimed) == "stock");
  CHECK(to_text(kept) == "kept");
  CHECK(to_text(raised) == "raised");
  CHECK(to_text(lowered) == "lowered");
  CHECK(to_text(beyond_host) == "beyond host");
  CHECK(to_text(refused) == "refused");
}
