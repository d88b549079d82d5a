// SPDX-License-Identifier: MIT
#include "cli/core/finding.hpp"
#include "tests/catch.hpp"
#include "tests/cli/transcript.hpp"

#include <cstdlib>
#include <set>

using namespace metal_unlock;

namespace {

std::filesystem::path transcripts() { return source_directory() / "tests/transcripts"; }

}  // namespace

TEST_CASE("every finding of the catalogue has a transcript that shows it") {
  std::set<std::string> expected;
  for (const CatalogueRow& row : finding_catalogue()) {
    const std::string name{row.name};
    expected.insert(name + ".txt");
    CAPTURE(name);
    const std::filesystem::path file = transcripts() / (name + ".txt");
    REQUIRE(std::filesystem::exists(file));
    const std::string text = read_file(file);
    CHECK(text.find("[" + name + "]") != std::string::npos);
    CHECK(text.find("next: ") != std::string::npos);
  }
  for (const auto& entry : std::filesystem::directory_iterator(transcripts()))
    CHECK(expected.contains(entry.path().filename().string()));
}

TEST_CASE("each transcript is what the program prints") {
  // After a change of words: read the difference, then keep it.
  const bool writes = std::getenv("METAL_UNLOCK_WRITE_TRANSCRIPTS") != nullptr;
  for (const auto& entry : std::filesystem::directory_iterator(transcripts())) {
    CAPTURE(entry.path().filename().string());
    const std::string text = read_file(entry.path());
    const auto steps = read_transcript(text);
    REQUIRE_FALSE(steps.empty());
    const std::string replayed = transcript_text(replay(steps));
    if (writes) write_file(entry.path(), replayed);
    CHECK(replayed == text);
  }
}
