// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

int highest(const Outcome& outcome) { return apple_families(json::parse(outcome.out)).back(); }

constexpr int stock = 1005;
constexpr char project[] = "work/.metal-unlock.toml";
constexpr char user[] = "config/metal-unlock/config.toml";

}  // namespace

TEST_CASE("METAL_UNLOCK=off starts the target untouched, even before --children and in a guest") {
  Sandbox sandbox;
  const Words print = shell("tr '\\0' '\\n' < /proc/$$/environ");
  sandbox.set("METAL_UNLOCK", "off");
  const Outcome outcome = sandbox.run_caps({"--children"});
  CHECK(highest(outcome) == stock);
  CHECK(outcome.err.empty());
  CHECK(sandbox.execute(run_words(print)).out == sandbox.execute(print).out);
  CHECK_FALSE(std::filesystem::exists(sandbox.cache()));
  sandbox.set("METAL_UNLOCK", "prefer");
  CHECK(highest(sandbox.run_caps()) == 1007);
  sandbox.set("METAL_UNLOCK", "");
  CHECK(highest(sandbox.run_caps()) == 1007);
}

TEST_CASE("METAL_UNLOCK=require refuses where the unlock is not possible") {
  Sandbox sandbox("unknown-future-chip");
  sandbox.set("METAL_UNLOCK", "require");
  const Outcome refused = sandbox.run_caps();
  CHECK(refused.exit_status == 125);
  CHECK(refused.out.empty());
  CHECK(finding_ids(refused.err) == Words{"profile-none"});
  sandbox.choose_guest("tahoe-26-m1-ultra");
  CHECK(highest(sandbox.run_caps()) == 1007);
}

TEST_CASE("METAL_UNLOCK with another word is a mistake") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK", "of");
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.exit_status == 125);
  CHECK(finding_ids(outcome.err) == Words{"setting-invalid"});
}

TEST_CASE("--require outdoes METAL_UNLOCK=off") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK", "off");
  CHECK(highest(sandbox.run_caps({"--require"})) == 1007);
}

TEST_CASE("the profile comes from flag, variable, project, user file, chip, in this order") {
  Sandbox sandbox("tahoe-26-m4-max");
  CHECK(highest(sandbox.run_caps()) == 1009);
  sandbox.write(user, "profile = \"apple8\"\n");
  CHECK(highest(sandbox.run_caps()) == 1008);
  sandbox.write(project, "profile = \"apple7\"\n");
  CHECK(highest(sandbox.run_caps()) == 1007);
  sandbox.set("METAL_UNLOCK_PROFILE", "apple6");
  CHECK(highest(sandbox.run_caps()) == 1006);
  CHECK(highest(sandbox.run_caps({"--profile", "apple9"})) == 1009);
}

TEST_CASE("METAL_UNLOCK_PROFILE takes a name or a file, and a wrong one is a mistake") {
  Sandbox sandbox;
  const auto file = sandbox.write("other/mine.toml",
                                  "schema = 1\ndescription = \"mine\"\n\n[claims]\napple_family = 1006\n");
  sandbox.set("METAL_UNLOCK_PROFILE", file.string());
  CHECK(highest(sandbox.run_caps()) == 1006);
  sandbox.set("METAL_UNLOCK_PROFILE", "m1-ulta");
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.exit_status == 125);
  CHECK(outcome.err.find("set by METAL_UNLOCK_PROFILE") != std::string::npos);
  CHECK(outcome.err.find("did you mean m1-ultra") != std::string::npos);
}

TEST_CASE("METAL_UNLOCK_CONFIG names the user file, and then its faults are the user's own") {
  Sandbox sandbox("tahoe-26-m4-max");
  sandbox.write(user, "profile = \"apple8\"\n");
  sandbox.set("METAL_UNLOCK_CONFIG", sandbox.write("other/config.toml", "profile = \"apple6\"\n").string());
  CHECK(highest(sandbox.run_caps()) == 1006);

  sandbox.write("other/config.toml", "# one\nprofil = \"apple6\"\n");
  const Outcome wrong = sandbox.run_caps();
  CHECK(wrong.exit_status == 125);
  CHECK(finding_ids(wrong.err) == Words{"config-invalid"});
  CHECK(wrong.err.find("other/config.toml:2:1: ") != std::string::npos);

  sandbox.set("METAL_UNLOCK_CONFIG", "/no/such/config.toml");
  const Outcome missing = sandbox.run_caps();
  CHECK(missing.exit_status == 125);
  CHECK(finding_ids(missing.err) == Words{"file-unreadable"});
}

TEST_CASE("a fault in a file that was only found leaves the decision to the policy") {
  for (const char* file : {user, project}) {
    CAPTURE(file);
    const Sandbox sandbox;
    sandbox.write(file, "profile = 7\n");
    const Outcome preferred = sandbox.run_caps();
    CHECK(highest(preferred) == stock);
    CHECK(finding_ids(preferred.err) == Words{"config-invalid"});
    CHECK(sandbox.run_caps({"--require"}).exit_status == 125);
  }
}

TEST_CASE("a project file applies in the folders below it, and the nearest one wins") {
  const Sandbox sandbox("tahoe-26-m4-max");
  sandbox.write(project, "profile = \"apple7\"\n");
  std::filesystem::create_directories(sandbox.work() / "a/b/c");
  const auto highest_in = [&](const std::filesystem::path& folder) {
    ProcessCommand command = sandbox.command(run_words({metal_caps_program(), "--json"}));
    command.directory = folder;
    return highest(run_process(command));
  };
  CHECK(highest_in(sandbox.work() / "a/b/c") == 1007);
  sandbox.write("work/a/b/.metal-unlock.toml", "profile = \"apple8\"\n");
  CHECK(highest_in(sandbox.work() / "a/b/c") == 1008);
  CHECK(highest_in(sandbox.work() / "a") == 1007);
  CHECK(highest_in(sandbox.home()) == 1009);
}

TEST_CASE("a project file may name a profile, and bring none") {
  const Sandbox sandbox;
  sandbox.write("work/mine.toml", "schema = 1\ndescription = \"mine\"\n\n[claims]\napple_family = 1006\n");
  for (const char* text : {"profile = \"./mine.toml\"\n", "profile = \"mine.toml\"\n", "children = true\n",
                           "allow_beyond_host = true\n"}) {
    CAPTURE(text);
    sandbox.write(project, text);
    const Outcome outcome = sandbox.run_caps();
    CHECK(highest(outcome) == stock);
    CHECK(finding_ids(outcome.err) == Words{"config-invalid"});
  }
  sandbox.write(project, "profile = \"apple6\"\npolicy = \"require\"\nmin_version = \"0.1.0\"\n");
  CHECK(highest(sandbox.run_caps()) == 1006);
}

TEST_CASE("policy and min_version of a project file") {
  Sandbox sandbox;
  sandbox.write(project, "policy = \"off\"\n");
  CHECK(highest(sandbox.run_caps()) == stock);
  sandbox.set("METAL_UNLOCK", "prefer");
  CHECK(highest(sandbox.run_caps()) == 1007);
  sandbox.set("METAL_UNLOCK", std::nullopt);

  sandbox.write(project, "min_version = \"99.0\"\n");
  const Outcome outcome = sandbox.run_caps();
  CHECK(highest(outcome) == stock);
  CHECK(finding_ids(outcome.err) == Words{"min-version"});
  CHECK(sandbox.run_caps({"--require"}).exit_status == 125);
}

TEST_CASE("children = true in the user file is --children") {
  const Sandbox sandbox;
  const Words child = shell("\"$@\"; true", {metal_caps_program(), "--json"});
  CHECK(highest(sandbox.execute(run_words(child))) == stock);
  sandbox.write(user, "children = true\n");
  CHECK(highest(sandbox.execute(run_words(child))) == 1007);
}
