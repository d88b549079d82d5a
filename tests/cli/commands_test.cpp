// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

bool has(const Outcome& outcome, const std::string& part) {
  return outcome.out.find(part) != std::string::npos;
}

constexpr char mine[] = "schema = 1\ndescription = \"mine\"\n\n[claims]\napple_family = 1006\n";

const json* named(const json& list, const std::string& name) {
  for (const json& profile : list.at("profiles"))
    if (profile.at("name") == name) return &profile;
  return nullptr;
}

}  // namespace

TEST_CASE("profiles list names every built-in profile and every one of the user's") {
  const Sandbox sandbox;
  sandbox.write_user_profile("mine", mine);
  sandbox.write_user_profile("m1", mine);
  const Outcome text = sandbox.metal_unlock({"profiles", "list"});
  CHECK(text.exit_status == 0);
  CHECK(sandbox.metal_unlock({"profiles"}).out == text.out);
  const json list = json::parse(sandbox.metal_unlock({"profiles", "list", "--json"}).out);
  std::size_t built_in = 0;
  for (const char* folder : {"profiles/chips", "profiles/families"})
    for (const auto& entry :
         std::filesystem::directory_iterator(guests_directory().parent_path().parent_path() / folder)) {
      ++built_in;
      const std::string name = entry.path().stem();
      CAPTURE(name);
      REQUIRE(named(list, name) != nullptr);
      CHECK(has(text, "\n" + name + " "));
    }
  CHECK(built_in >= 28);
  CHECK(list.at("profiles").size() == built_in + 1);
  CHECK(named(list, "mine")->at("claims").at("apple_family").at("claim") == 1006);
  CHECK(named(list, "m1")->at("layer") != named(list, "m2")->at("layer"));
}

TEST_CASE("profiles list with a broken file lists the others, says which, and is 1") {
  const Sandbox sandbox;
  sandbox.write_user_profile("broken", "schema = 1\n");
  const Outcome outcome = sandbox.metal_unlock({"profiles", "list"});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"profile-invalid"});
  CHECK(has(outcome, "\nm1-ultra "));
}

TEST_CASE("profiles show prints what a profile claims and where that comes from") {
  const Sandbox sandbox;
  const Outcome text = sandbox.metal_unlock({"profiles", "show", "m1-ultra"});
  CHECK(text.exit_status == 0);
  CHECK(has(text, "extends  apple7\n"));
  CHECK(has(text, "Apple7  profiles/families/apple7.toml  Apple7   profiles/families/apple7.toml\n"));
  const json list = json::parse(sandbox.metal_unlock({"profiles", "show", "--json", "m4", "m1"}).out);
  CHECK(list.at("schema") == 1);
  CHECK(list.at("profiles").size() == 2);
  CHECK(list.at("profiles").at(0).at("ceiling").at("apple_family") == 1009);

  const Outcome unknown = sandbox.metal_unlock({"profiles", "show", "m1-ulta", "m2"});
  CHECK(unknown.exit_status == 1);
  CHECK(finding_ids(unknown.err) == Words{"profile-unknown"});
  CHECK(has(unknown, "profile  m2\n"));
}

TEST_CASE("profiles check says fine, or what is wrong, for each file") {
  const Sandbox sandbox;
  const std::string good = sandbox.write("other/good.toml", mine);
  const std::string bad = sandbox.write("other/bad.toml", "schema = 1\nx = 2\n");
  const Outcome fine = sandbox.metal_unlock({"profiles", "check", good});
  CHECK(fine.exit_status == 0);
  CHECK(fine.out == good + ": fine\n");
  const Outcome both = sandbox.metal_unlock({"profiles", "check", bad, good, "/no/such/file.toml"});
  CHECK(both.exit_status == 1);
  CHECK(both.out == good + ": fine\n");
  CHECK(finding_ids(both.err) == Words{"profile-invalid", "file-unreadable"});
  CHECK(both.err.find(bad + ":2:1: ") != std::string::npos);
  CHECK(json::parse(sandbox.metal_unlock({"profiles", "check", "--json", good}).out).at("profiles").size() ==
        1);
}

TEST_CASE("env prints commands that unlock what a shell starts") {
  const Sandbox sandbox;
  const Words both{metal_unlock_program(), metal_caps_program()};
  const json unlocked = json::parse(sandbox.run_caps().out);
  REQUIRE(unlocked != sandbox.stock_answers());
  for (const char* options : {"", "--shell", "--children", "-- \"$2\"", "\"$2\""}) {
    CAPTURE(options);
    const Words script =
        shell("eval \"$(\"$1\" env " + std::string(options) + ")\"; \"$2\" --json; true", both);
    CHECK(json::parse(sandbox.execute(script).out) == unlocked);
  }
}

TEST_CASE("env where there is nothing to unlock changes nothing") {
  Sandbox sandbox("bare-metal-m1-ultra");
  const Outcome bare = sandbox.metal_unlock({"env"});
  CHECK(bare.out.empty());
  CHECK(bare.err.empty());
  CHECK(bare.exit_status == 0);
  CHECK(json::parse(sandbox.metal_unlock({"env", "--json"}).out).at("unlocked") == false);
  sandbox.set("METAL_UNLOCK_HANDOFF", "left behind");
  CHECK(sandbox.metal_unlock({"env"}).out == "unset METAL_UNLOCK_HANDOFF\n");
}

TEST_CASE("env refuses what run refuses, with 1 and no commands") {
  const Sandbox sandbox("unknown-future-chip");
  const Outcome refused = sandbox.metal_unlock({"env", "--require"});
  CHECK(refused.exit_status == 1);
  CHECK(refused.out.empty());
  CHECK(finding_ids(refused.err) == Words{"profile-none"});
  const Outcome preferred = sandbox.metal_unlock({"env"});
  CHECK(preferred.exit_status == 0);
  CHECK(finding_ids(preferred.err) == Words{"profile-none"});
}

TEST_CASE("config names the origin of every setting") {
  Sandbox sandbox;
  const std::string user =
      sandbox.write("config/metal-unlock/config.toml", "children = true\nprofile = \"m2\"\n");
  const std::string project = sandbox.write("work/.metal-unlock.toml", "# here\nprofile = \"m1\"\n");
  sandbox.set("METAL_UNLOCK", "require");
  const json shown = json::parse(sandbox.metal_unlock({"config", "--json"}).out);
  const json& settings = shown.at("settings");
  CHECK(settings.at("policy") == json{{"in_force", "require"}, {"origin", "METAL_UNLOCK"}});
  CHECK(settings.at("children") == json{{"in_force", "true"}, {"origin", user + ":1"}});
  const std::string here = std::filesystem::canonical(project);
  CHECK(settings.at("profile") == json{{"in_force", "m1"}, {"origin", here + ":2"}});
  CHECK(settings.at("min_version").at("origin") == "default");
  CHECK(shown.at("files").at(1).at("path") == here);
  const Outcome text = sandbox.metal_unlock({"config"});
  CHECK(text.exit_status == 0);
  CHECK(has(text, here + ":2\n"));
}

TEST_CASE("config with a broken file says so, and is 1") {
  const Sandbox sandbox;
  sandbox.write("work/.metal-unlock.toml", "policy = \"perhaps\"\n");
  const Outcome outcome = sandbox.metal_unlock({"config"});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"config-invalid"});
  CHECK(outcome.err.find(".metal-unlock.toml:1:10: ") != std::string::npos);
  CHECK(has(outcome, "policy"));
}
