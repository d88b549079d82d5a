// SPDX-License-Identifier: MIT
#include "cli/core/profile_parse.hpp"

#include "cli/core/profile_library.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"

#include <map>
#include <set>
#include <sstream>

using namespace metal_unlock;

namespace {

using Rows = std::map<std::string, std::vector<std::string>>;

std::filesystem::path samples(const char* folder) {
  return source_directory() / "tests" / "profiles" / folder;
}

/// A table of tab-separated cells, by the first one.
Rows rows_of(const std::filesystem::path& file) {
  Rows rows;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells(1);
    for (const char letter : line) {
      if (letter == '\t')
        cells.emplace_back();
      else
        cells.back() += letter;
    }
    rows[cells.at(0)] = {cells.begin() + 1, cells.end()};
  }
  return rows;
}

std::set<std::string> toml_files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.insert(entry.path().filename());
  return names;
}

std::set<std::string> keys_of(const Rows& rows) {
  std::set<std::string> keys;
  for (const auto& [key, cells] : rows) keys.insert(key);
  return keys;
}

/// "\n" and "\xNN" of the table of corrections.
std::string with_escapes_read(const std::string& cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell.compare(i, 2, "\\n") == 0) {
      text += '\n';
      i += 1;
    } else if (cell.compare(i, 2, "\\x") == 0) {
      text += static_cast<char>(std::stoi(cell.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else {
      text += cell[i];
    }
  }
  return text;
}

/// A parent is part of a sample's meaning, so each goes the whole way that a file on the command line goes.
Result<Profile> loaded(const std::string& text, const std::string& name) {
  return ProfileLibrary{built_in_profiles(), {}}.load_text(text, "samples/" + name);
}

std::string fault_in(const std::string& text) {
  const auto file = parse_profile(text, "a.toml", ProfileLayer::user);
  return file ? "none" : file.finding().sentence;
}

}  // namespace

TEST_CASE("every invalid sample is refused at its place, with its reason") {
  const Rows expected = rows_of(samples("invalid") / "expected.tsv");
  REQUIRE(keys_of(expected) == toml_files_in(samples("invalid")));
  for (const auto& [name, cells] : expected) {
    CAPTURE(name);
    const auto profile = loaded(read_file(samples("invalid") / name), name);
    REQUIRE_FALSE(profile);
    const std::string& sentence = profile.finding().sentence;
    CAPTURE(sentence);
    const bool is_about_the_file = cells.at(0) == "0";
    const std::string place = is_about_the_file ? "1:1" : cells.at(0) + ":" + cells.at(1);
    const std::string start = "samples/" + name + ":" + place + ": ";
    CHECK(sentence.starts_with(start));
    // The file's name holds the same words, so only what follows it counts.
    CHECK(sentence.substr(std::min(start.size(), sentence.size())).find(cells.at(2)) != std::string::npos);
    CHECK(sentence.find_first_of("\n\r\x1b") == std::string::npos);
    CHECK_FALSE(profile.finding().next.empty());
  }
}

TEST_CASE("every invalid sample is accepted once its one mistake is corrected") {
  const Rows corrected = rows_of(samples("invalid") / "corrected.tsv");
  REQUIRE(keys_of(corrected) == toml_files_in(samples("invalid")));
  for (const auto& [name, cells] : corrected) {
    CAPTURE(name);
    std::string text = read_file(samples("invalid") / name);
    const std::string mistake = with_escapes_read(cells.at(0));
    const std::size_t at = text.find(mistake);
    REQUIRE(at != std::string::npos);
    text.replace(at, mistake.size(), with_escapes_read(cells.at(1)));
    const auto profile = loaded(text, name);
    INFO((profile ? "" : profile.finding().sentence));
    CHECK(profile);
  }
}

TEST_CASE("a claim that is well formed but never made has an id of its own") {
  const std::set<std::string> refused{"apple-family-is-common3.toml",    "apple-family-is-mac-catalyst2.toml",
                                      "apple-family-is-mac2.toml",       "apple-family-is-metal3.toml",
                                      "apple-family-is-metal4.toml",     "ceiling-device-name.toml",
                                      "ceiling-family-is-metal3.toml",   "claims-architecture-name.toml",
                                      "claims-common-family.toml",       "claims-device-name.toml",
                                      "claims-mac-catalyst-family.toml", "claims-mac-family.toml",
                                      "claims-metal-family.toml",        "claims-name.toml"};
  for (const std::string& name : toml_files_in(samples("invalid"))) {
    CAPTURE(name);
    const auto profile = loaded(read_file(samples("invalid") / name), name);
    REQUIRE_FALSE(profile);
    CHECK(profile.finding().id ==
          (refused.contains(name) ? FindingId::claim_refused : FindingId::profile_invalid));
  }
}

TEST_CASE("every valid sample is accepted") {
  const auto names = toml_files_in(samples("valid"));
  CHECK(names.size() == 17);
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto profile = loaded(read_file(samples("valid") / name), name);
    INFO((profile ? "" : profile.finding().sentence));
    REQUIRE(profile);
    CHECK(profile->name + ".toml" == name);
    CHECK_FALSE(profile->description.empty());
    CHECK(profile->layer == ProfileLayer::named_file);
  }
}

TEST_CASE("every key of a profile arrives in its place") {
  const auto file =
      parse_profile(read_file(samples("valid") / "every-key.toml"), "x/every-key.toml", ProfileLayer::user);
  REQUIRE(file);
  CHECK(file->name == "every-key");
  CHECK(file->path == "x/every-key.toml");
  CHECK(file->layer == ProfileLayer::user);
  CHECK(file->extends == "apple7");
  CHECK(file->extends_at == Position{3, 11});
  CHECK(file->match == std::vector<std::string>{"Apple M9", "Apple M9 Pro"});
  CHECK_FALSE(file->fallback);
  CHECK(file->claims[Field::max_threadgroup_memory] == 16384);
  CHECK(file->claims[Field::recommended_max_working_set] == 8589934592);
  CHECK(file->ceiling[Field::apple_family] == 1009);
  CHECK(file->ceiling[Field::recommended_max_working_set] == 17179869184);
  CHECK(file->chip == ChipFacts{"applegpu_g21g", {10, 12}, {"Mac21,1", "Mac21,2"}});
  REQUIRE(file->evidence.size() == 3);
  CHECK(file->evidence[1] == Evidence{EvidenceMark::documented,
                                      "Apple, technical specifications of the Macs with this chip",
                                      "GPU cores"});
  CHECK(file->evidence[2] == Evidence{EvidenceMark::inferred, "the chip before it", ""});
}

TEST_CASE("numbers mean the same in every way TOML writes them") {
  const auto file = parse_profile(read_file(samples("valid") / "numbers-with-underscores-and-bases.toml"),
                                  "n.toml", ProfileLayer::user);
  REQUIRE(file);
  CHECK(file->claims[Field::apple_family] == 1007);
  CHECK(file->claims[Field::max_threadgroup_memory] == 32768);
  CHECK(file->claims[Field::recommended_max_working_set] == 17179869184);
}

TEST_CASE("a profile is named after its file, in lower case") {
  CHECK(profile_name_of("profiles/chips/m1.toml") == "m1");
  CHECK(profile_name_of("m1-ultra.toml") == "m1-ultra");
  CHECK(profile_name_of("/x/a.b.toml") == "a.b");
  CHECK(profile_name_of("x/plain") == "plain");
  CHECK(profile_name_of("x/.toml").empty());
  const std::string text = "schema = 1\ndescription = \"a sample\"\n";
  for (const char* path : {"a.toml", "m1-ultra.toml", "9.toml", "a.b-c.toml"}) {
    CAPTURE(path);
    CHECK(parse_profile(text, path, ProfileLayer::user));
  }
  for (const char* path : {"A.toml", "-a.toml", ".a.toml", "a b.toml", "a_b.toml", ".toml", "x/", "ä.toml"}) {
    CAPTURE(path);
    CHECK_FALSE(parse_profile(text, path, ProfileLayer::user));
  }
}

TEST_CASE("the first fault of a profile is the one that is told") {
  CHECK(fault_in("schema = 1\ndescription = \"a\"\n") == "none");
  CHECK(fault_in("schema = 2\nextend = \"m1\"\n") == "a.toml:1:10: schema is 2, this program reads 1");
  CHECK(fault_in("extend = \"m1\"\n") == "a.toml:1:1: unknown key 'extend', did you mean extends?");
}
