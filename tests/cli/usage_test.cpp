// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

/// `metal-unlock WORDS…` must refuse with 125, print nothing on stdout and say `text` on stderr.
void check_refused(const Sandbox& sandbox, const Words& words, const std::string& id,
                   const std::string& text) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  CAPTURE(line);
  const Outcome outcome = sandbox.metal_unlock(words);
  CHECK(outcome.exit_status == 125);
  CHECK(outcome.out.empty());
  CHECK(finding_ids(outcome.err) == Words{id});
  CAPTURE(outcome.err);
  CHECK(outcome.err.find(text) != std::string::npos);
  CHECK(outcome.err.find("\n  next: ") != std::string::npos);
}

}  // namespace

TEST_CASE("run without a command is 125 and shows the usage") {
  const Sandbox sandbox;
  for (const Words& words : {Words{"run"}, Words{"run", "--"}, Words{"run", "--require"}})
    check_refused(sandbox, words, "no-command", "usage: metal-unlock run [OPTION");
}

TEST_CASE("an option that run does not have is 125, and near ones are named") {
  const Sandbox sandbox;
  check_refused(sandbox, {"run", "--profle", "m1", "--", "touch", "mark"}, "usage", "did you mean --profile");
  check_refused(sandbox, {"run", "--profle=m1", "touch", "mark"}, "usage", "did you mean --profile");
  check_refused(sandbox, {"run", "-x", "touch", "mark"}, "usage", "'-x'");
  check_refused(sandbox, {"run", "-qx", "touch", "mark"}, "usage", "'-x'");
  check_refused(sandbox, {"run", "--require=yes", "touch", "mark"}, "usage", "takes no value");
  check_refused(sandbox, {"run", "--profile"}, "usage", "needs a value");
  check_refused(sandbox, {"run", "--profile", "", "touch", "mark"}, "usage", "needs a value");
  check_refused(sandbox, {"run", "--profile=", "touch", "mark"}, "usage", "needs a value");
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  CHECK(sandbox.metal_unlock({"run", "--profile", "m1", "--", "touch", "mark"}).exit_status == 0);
  CHECK(std::filesystem::exists(sandbox.work() / "mark"));
}

TEST_CASE("a profile that does not exist is 125 on every machine, and near names are listed") {
  for (const char* guest : {"tahoe-26-m1-ultra", "bare-metal-m1-ultra", "not-a-mac", "no-device"}) {
    CAPTURE(guest);
    const Sandbox sandbox(guest);
    check_refused(sandbox, {"run", "--profile", "m1-ulta", "--", "touch", "mark"}, "profile-unknown",
                  "did you mean m1-ultra");
    CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  }
}

TEST_CASE("a profile that does not exist is 125 where the unlock is switched off, too") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK", "off");
  check_refused(sandbox, {"run", "--profile", "m1-ulta", "--", "true"}, "profile-unknown", "m1-ultra");
  CHECK(sandbox.metal_unlock({"run", "--profile", "m1-ultra", "--", "true"}).exit_status == 0);
}

TEST_CASE("options end at the first word that is none") {
  const Sandbox sandbox;
  CHECK(sandbox.metal_unlock({"run", "echo", "--require", "-q"}).out == "--require -q\n");
  CHECK(sandbox.metal_unlock({"run", "-q", "--profile", "apple7", "echo", "--", "-v"}).out == "-- -v\n");
  CHECK(sandbox.metal_unlock({"run", "--", "printf", "%s.", "--help"}).out == "--help.");
}

TEST_CASE("the last of two values counts") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.run_caps({"--profile", "apple6", "--profile=apple7"});
  CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
}

TEST_CASE("an option value is one word, whatever it looks like") {
  const Sandbox sandbox;
  for (const char* value : {"[apple6,apple7]", "a b", "apple6,apple7", "\"apple6\"", "{apple6}"})
    check_refused(sandbox, {"run", "--profile", value, "--", "true"}, "profile-unknown",
                  "'" + std::string(value) + "'");
  check_refused(sandbox, {"run", "--profile=-x", "--", "true"}, "profile-unknown", "'-x'");
  check_refused(sandbox, {"run", "--profile", "--require", "--", "true"}, "usage", "needs a value");
}

TEST_CASE("every other command says 2 to wrong words") {
  const Sandbox sandbox;
  for (const Words& words : {Words{"probe", "--jsn"}, Words{"probe", "word"}, Words{"config", "word"},
                             Words{"profiles", "shwo"}, Words{"profiles", "show"}, Words{"help", "nothing"},
                             Words{"rnu"}, Words{"--verison"}, Words{}, Words{"env", "--json", "--shell"}}) {
    CAPTURE(words.empty() ? "no words" : words.back());
    const Outcome outcome = sandbox.metal_unlock(words);
    CHECK(outcome.exit_status == 2);
    CHECK(outcome.out.empty());
    CHECK(finding_ids(outcome.err).size() == 1);
  }
  CHECK(sandbox.metal_unlock({"rnu"}).err.find("did you mean run") != std::string::npos);
  CHECK(sandbox.metal_unlock({"profiles", "shwo"}).err.find("did you mean show") != std::string::npos);
}

TEST_CASE("quiet says nothing where the target runs stock, and everything where it does not run") {
  const Sandbox sandbox("unknown-future-chip");
  CHECK(sandbox.run_caps({"-q"}).err.empty());
  CHECK(finding_ids(sandbox.run_caps().err) == Words{"profile-none"});
  CHECK(finding_ids(sandbox.run_caps({"-q", "--require"}).err) == Words{"profile-none"});
}

TEST_CASE("verbose says on stderr what was decided, and what the shim did") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.run_caps({"-v"});
  CHECK(outcome.out == sandbox.run_caps().out);
  CHECK(outcome.err.find("profile m1-ultra") != std::string::npos);
  CHECK(outcome.err.find("AppleParavirtDevice: Apple5 -> Apple7") != std::string::npos);
  const Sandbox bare("bare-metal-m5");
  CHECK(bare.run_caps({"-v"}).err == "metal-unlock: starting stock: this is bare metal (Mac17,2)\n");
}

TEST_CASE("a dry run shows the decision, starts nothing and writes nothing") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock({"run", "--dry-run", "--", "touch", "mark"});
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("start unlocked") != std::string::npos);
  CHECK(outcome.out.find("METAL_UNLOCK_HANDOFF=v1;") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  CHECK_FALSE(std::filesystem::exists(sandbox.cache()));
  CHECK(sandbox.metal_unlock({"run", "--dry-run", "--", "no-such-program"}).exit_status == 127);
}
