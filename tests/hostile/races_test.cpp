// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/talking_process.hpp"
#include "tests/hostile/surroundings.hpp"

#include <atomic>
#include <thread>

using namespace metal_unlock;

namespace {

std::string built_shim() { return read_file(build_directory() / "libmetal-unlock.so"); }

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
}

/// This program as it would be with another shim in it, and that shim. Nothing executes the bytes in which it
/// differs.
struct OtherVersion {
  std::string program;
  std::string shim = built_shim();
};

OtherVersion other_version(const Sandbox& sandbox) {
  OtherVersion other;
  replace_all(other.shim, "GCC: (", "GCC: [");
  REQUIRE(other.shim != built_shim());
  sandbox.run_caps();
  const std::string digest = sandbox.placed_shim().parent_path().filename();
  std::string program = read_file(metal_unlock_program());
  replace_all(program, built_shim(), other.shim);
  replace_all(program, digest, std::string(digest.size(), 'f'));
  other.program = sandbox.write_program("other/metal-unlock", program);
  // What it needs of the simulated guest lies beside it.
  for (const auto& entry : std::filesystem::directory_iterator(build_directory()))
    if (entry.path().filename().string().starts_with("lib"))
      std::filesystem::create_symlink(entry.path(),
                                      sandbox.home().parent_path() / "other" / entry.path().filename());
  return other;
}

}  // namespace

TEST_CASE("thirty-two first starts and checks of the GPU at once are all right, and leave whole files") {
  const Sandbox sandbox;
  std::vector<ProcessCommand> commands(31, sandbox.command(caps_words({"--require"})));
  commands.insert(commands.begin() + 2, sandbox.command(metal_unlock_words({"verify"})));
  for (const Outcome& outcome : run_all(commands)) {
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
  }
  const json verdict = json::parse(read_file(sandbox.shim_folder() / "verdict.json"));
  CHECK(verdict.at("capabilities").size() == 12);
  std::filesystem::remove(sandbox.shim_folder() / "verdict.json");
  CHECK((read_file(sandbox.placed_shim()) == built_shim()));
}

TEST_CASE("two versions of the program share a cache, each with a shim of its own") {
  const Sandbox sandbox;
  const OtherVersion other = other_version(sandbox);
  const auto mine = sandbox.placed_shim();
  std::filesystem::remove_all(sandbox.cache());
  std::vector<ProcessCommand> commands;
  for (int i = 0; i < 12; ++i) {
    Words words = caps_words({"--require"});
    if (i % 2 == 0) words.front() = other.program;
    commands.push_back(sandbox.command(words));
  }
  for (const Outcome& outcome : run_all(commands)) {
    CAPTURE(outcome.err);
    CHECK(highest_family(outcome) == unlocked_family);
    CHECK(outcome.err.empty());
  }
  const auto theirs = sandbox.shim_folder() / std::string(16, 'f') / "libmetal-unlock.so";
  CHECK((read_file(mine) == built_shim()));
  CHECK((read_file(theirs) == other.shim));
  // A shim of the one in the place of the other's is replaced.
  write_file(theirs, built_shim());
  Words again = caps_words();
  again.front() = other.program;
  CHECK(highest_family(sandbox.execute(again)) == unlocked_family);
  CHECK((read_file(theirs) == other.shim));
}

TEST_CASE("a target goes on unlocked while the program and its cache are removed under it") {
  const Sandbox sandbox;
  const auto program = sandbox.write_program("other/metal-unlock", read_file(metal_unlock_program()));
  for (const auto& entry : std::filesystem::directory_iterator(build_directory()))
    if (entry.path().filename().string().starts_with("lib"))
      std::filesystem::create_symlink(entry.path(), program.parent_path() / entry.path().filename());
  TalkingProcess client(sandbox.command({program, "run", "--", build_directory() / "asking-client"}));
  std::filesystem::remove(program);
  std::filesystem::remove_all(sandbox.cache());
  CHECK(client.ask("create") == "Apple7 32768");
  CHECK(client.ask("ask") == "Apple7 32768");
  CHECK(client.finish() == 0);
}

TEST_CASE("a cache that is removed over and over while targets start harms none of them") {
  const Sandbox sandbox;
  std::atomic<bool> is_over = false;
  std::jthread remover([&] {
    std::error_code ignored;
    while (!is_over) std::filesystem::remove_all(sandbox.shim_folder(), ignored);
  });
  const std::vector<Outcome> outcomes =
      run_all(std::vector<ProcessCommand>(40, sandbox.command(caps_words())));
  is_over = true;
  remover.join();
  for (const Outcome& outcome : outcomes) {
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 0);
    const bool is_unlocked = highest_family(outcome) == unlocked_family;
    // Stock, and somebody says why: this program, or the loader that found nothing to load.
    CHECK((is_unlocked || !outcome.err.empty()));
  }
  CHECK(highest_family(sandbox.execute(caps_words())) == unlocked_family);
}

TEST_CASE("what a killed attach left is no obstacle to the next one") {
  const Sandbox sandbox;
  sandbox.run_caps();
  TalkingProcess client(sandbox.command({build_directory() / "asking-client"}));
  const auto left = sandbox.placed_shim().parent_path() / ("attach-" + client.pid_text());
  std::filesystem::create_directory(left);
  write_file(left / "report", "half");
  write_file(left / "report.1.part", "half");
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(client.ask("create") == "Apple7 32768");
  CHECK_FALSE(std::filesystem::exists(left));
}
