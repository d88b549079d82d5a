// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <sstream>
#include <sys/stat.h>

using namespace metal_unlock;

namespace {

std::filesystem::path samples() { return guests_directory().parent_path() / "profiles"; }

/// A line of expected.tsv: where in the file the mistake is, and what the sentence says. Line 0: what is
/// missing has no place.
struct Mistake {
  std::string file;
  std::string line;
  std::string column;
  std::string part;

  std::string place() const { return line == "0" ? "1:1: " : line + ":" + column + ": "; }
};

std::vector<Mistake> mistakes() {
  std::istringstream lines(read_file(samples() / "invalid/expected.tsv"));
  std::vector<Mistake> all;
  for (Mistake row; std::getline(lines, row.file, '\t') && std::getline(lines, row.line, '\t') &&
                    std::getline(lines, row.column, '\t') && std::getline(lines, row.part);)
    all.push_back(row);
  return all;
}

void check_nothing_started(const Sandbox& sandbox, const Outcome& outcome) {
  CHECK(outcome.exit_status == 125);
  CHECK(outcome.out.empty());
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  CHECK_FALSE(std::filesystem::exists(sandbox.cache()));
}

}  // namespace

TEST_CASE("every broken profile is refused with file, line, column and reason, and nothing is started") {
  const Sandbox sandbox;
  std::size_t seen = 0;
  for (const Mistake& mistake : mistakes()) {
    CAPTURE(mistake.file);
    ++seen;
    const std::string file = samples() / "invalid" / mistake.file;
    const Outcome outcome = sandbox.metal_unlock({"run", "--profile", file, "--", "touch", "mark"});
    check_nothing_started(sandbox, outcome);
    const std::string first = outcome.err.substr(0, outcome.err.find('\n'));
    CHECK(first.starts_with("metal-unlock: error: " + file + ":" + mistake.place()));
    CAPTURE(first, mistake.part);
    CHECK(first.find(mistake.part) != std::string::npos);
    CHECK(finding_ids(outcome.err).size() == 1);
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(samples() / "invalid"))
    files += entry.path().extension() == ".toml" ? 1 : 0;
  CHECK(seen == files);
  CHECK(files >= 20);
}

TEST_CASE("every sound profile is taken, or refused for its claims alone") {
  const Sandbox sandbox("tahoe-26-m4-max");
  std::size_t started = 0;
  for (const auto& entry : std::filesystem::directory_iterator(samples() / "valid")) {
    CAPTURE(entry.path());
    const Outcome outcome = sandbox.run_caps({"--profile", entry.path()});
    if (outcome.exit_status == 0)
      ++started;
    else
      CHECK(finding_ids(outcome.err) == Words{"claim-above-ceiling"});
  }
  CHECK(started >= 3);
}

TEST_CASE("what is no readable file of a sensible size is refused") {
  const Sandbox sandbox;
  const std::filesystem::path folder = sandbox.home();
  write_file(folder / "large.toml", std::string(10'000'000, '#'));
  write_file(folder / "unreadable.toml", "schema = 1\n");
  std::filesystem::permissions(folder / "unreadable.toml", std::filesystem::perms::none);
  std::filesystem::create_directory(folder / "directory.toml");
  REQUIRE(mkfifo((folder / "pipe.toml").c_str(), 0600) == 0);
  std::filesystem::create_symlink("nowhere", folder / "dangling.toml");
  std::filesystem::create_symlink("circle.toml", folder / "circle.toml");
  struct Row {
    const char* file;
    const char* reason;
  };
  const Row rows[] = {{"large.toml", "more than"},          {"unreadable.toml", "Permission denied"},
                      {"directory.toml", "is a directory"}, {"pipe.toml", "is not a regular file"},
                      {"dangling.toml", "No such file"},    {"circle.toml", "symbolic links"},
                      {"missing.toml", "No such file"}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const std::string file = folder / row.file;
    const Outcome outcome =
        sandbox.execute(without_override(run_words({"touch", "mark"}, {"--profile", file})));
    check_nothing_started(sandbox, outcome);
    CHECK(finding_ids(outcome.err) == Words{"file-unreadable"});
    CAPTURE(outcome.err);
    CHECK(outcome.err.find("'" + file + "'") != std::string::npos);
    CHECK(outcome.err.find(row.reason) != std::string::npos);
  }
}

TEST_CASE("a broken profile of the user's folder leaves the decision to the policy") {
  const Sandbox sandbox;
  sandbox.write_user_profile("broken", "schema = 1\ndescription = 7\n");
  const Outcome preferred = sandbox.run_caps();
  CHECK(json::parse(preferred.out) == sandbox.stock_answers());
  CHECK(finding_ids(preferred.err) == Words{"profile-invalid"});
  CHECK(preferred.err.find("profiles/broken.toml:2:15: ") != std::string::npos);
  const Outcome required = sandbox.run_caps({"--require"});
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
  CHECK(sandbox.run_caps({"--profile", "m1-ultra", "--require"}).exit_status == 0);
}
