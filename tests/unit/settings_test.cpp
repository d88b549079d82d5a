// SPDX-License-Identifier: MIT
#include "cli/core/settings.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

ConfigText user(std::string text) {
  return {ConfigText::Kind::user, "/u/config.toml", false, std::move(text)};
}
ConfigText named(std::string text) { return {ConfigText::Kind::user, "/n.toml", true, std::move(text)}; }
ConfigText project(std::string text) {
  return {ConfigText::Kind::project, "/p/.metal-unlock.toml", false, std::move(text)};
}

Settings resolved(const std::vector<ConfigText>& files, std::vector<std::string> environment = {},
                  const SettingFlags& flags = {}) {
  return resolve_settings(flags, Environment{std::move(environment)}, files, "0.1.0");
}

std::string fault(const Settings& settings) {
  return settings.findings.empty() ? "none" : settings.findings.front().sentence;
}

}  // namespace

TEST_CASE("without any source every setting is the default") {
  const Settings settings = resolved({});
  CHECK(settings == Settings{});
  CHECK(settings.policy == Setting<Policy>{Policy::prefer, "default"});
  CHECK(settings.profile == Setting<std::string>{"", "default"});
  CHECK(settings.children == Setting<bool>{false, "default"});
  CHECK(settings.min_version == Setting<std::string>{"", "default"});
}

TEST_CASE("flags come before the environment, the project, the user and the default") {
  const ConfigText users =
      user("profile = \"from-user\"\npolicy = \"require\"\nchildren = true\nmin_version = \"0.0.1\"\n");
  const ConfigText projects =
      project("min_version = \"0.0.2\"\npolicy = \"off\"\n\nprofile = \"from-project\"\n");
  const std::vector<std::string> variables{"METAL_UNLOCK=prefer", "METAL_UNLOCK_PROFILE=from-environment"};
  const SettingFlags flags{.profile = "from-flag", .require = true, .children = true};
  struct Row {
    const char* what;
    Settings settings;
    Setting<std::string> profile;
    Setting<Policy> policy;
    Setting<bool> children;
    Setting<std::string> min_version;
  };
  const Setting<bool> children_of_user{true, "/u/config.toml:3"};
  const Setting<std::string> version_of_user{"0.0.1", "/u/config.toml:4"};
  const Setting<std::string> version_of_project{"0.0.2", "/p/.metal-unlock.toml:1"};
  const Row rows[] = {
      {"user",
       resolved({users}),
       {"from-user", "/u/config.toml:1"},
       {Policy::require, "/u/config.toml:2"},
       children_of_user,
       version_of_user},
      {"project",
       resolved({projects, users}),
       {"from-project", "/p/.metal-unlock.toml:4"},
       {Policy::off, "/p/.metal-unlock.toml:2"},
       children_of_user,
       version_of_project},
      {"environment",
       resolved({users, projects}, variables),
       {"from-environment", "METAL_UNLOCK_PROFILE"},
       {Policy::prefer, "METAL_UNLOCK"},
       children_of_user,
       version_of_project},
      {"flags",
       resolved({users, projects}, variables, flags),
       {"from-flag", "--profile"},
       {Policy::require, "--require"},
       {true, "--children"},
       version_of_project},
      {"flags alone",
       resolved({}, {}, flags),
       {"from-flag", "--profile"},
       {Policy::require, "--require"},
       {true, "--children"},
       {}},
      {"environment alone",
       resolved({}, variables),
       {"from-environment", "METAL_UNLOCK_PROFILE"},
       {Policy::prefer, "METAL_UNLOCK"},
       {},
       {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what, row.settings.profile.origin, row.settings.policy.origin);
    CHECK(fault(row.settings) == "none");
    CHECK(row.settings.profile == row.profile);
    CHECK(row.settings.policy == row.policy);
    CHECK(row.settings.children == row.children);
    CHECK(row.settings.min_version == row.min_version);
  }
}

TEST_CASE("a source that does not say something leaves it to the next one") {
  const Settings settings = resolved({user("policy = \"require\"\n"), project("profile = \"m1\"\n")});
  CHECK(settings.policy.value == Policy::require);
  CHECK(settings.profile.value == "m1");
  const Settings children = resolved({user("children = true\n")}, {}, {});
  CHECK(children.children.value);
  CHECK_FALSE(resolved({user("children = false\n")}).children.value);
}

TEST_CASE("a variable that is set to nothing is not set, and one that makes no sense is a mistake") {
  const Settings empty = resolved({}, {"METAL_UNLOCK=", "METAL_UNLOCK_PROFILE="});
  CHECK(empty == Settings{});
  CHECK(resolved({}, {"METAL_UNLOCK=off"}).policy.value == Policy::off);
  CHECK(resolved({}, {"METAL_UNLOCK=require"}).policy.value == Policy::require);
  for (const char* word : {"0", "1", "OFF", "offf", "yes", " off"}) {
    CAPTURE(word);
    const Settings settings = resolved({}, {std::string("METAL_UNLOCK=") + word});
    REQUIRE(settings.findings.size() == 1);
    CHECK(settings.findings[0].id == FindingId::setting_invalid);
    CHECK(settings.findings[0].cause == Cause::mistake);
    CHECK(settings.policy == Setting<Policy>{});
  }
}

TEST_CASE("a policy has one word, and the word means that policy") {
  for (const Policy policy : {Policy::prefer, Policy::require, Policy::off})
    CHECK(policy_named(to_text(policy)) == policy);
  CHECK(to_text(Policy::off) == "off");
  for (const char* word : {"", "Prefer", "of", "requires"}) CHECK_FALSE(policy_named(word));
}

TEST_CASE("a project may set three keys and name no file") {
  const std::string start = "/p/.metal-unlock.toml:1:";
  CHECK(fault(resolved({project("profile = \"m1\"\npolicy = \"off\"\nmin_version = \"0.1\"\n")})) == "none");
  CHECK(fault(resolved({project("children = true\n")})) ==
        start + "1: children is not for a project to set: only profile, policy and min_version are");
  CHECK(fault(resolved({user("children = true\n")})) == "none");
  for (const char* path : {"x.toml", "./x", "/abs/x.toml", "a/b", "../m1"}) {
    CAPTURE(path);
    const std::string text = std::string("profile = \"") + path + "\"\n";
    CHECK(fault(resolved({project(text)})).starts_with(start + "11: profile is '" + path + "'"));
    CHECK(resolved({project(text)}).profile == Setting<std::string>{});
  }
}

TEST_CASE("no configuration file brings a profile's file, command line and environment may") {
  CHECK(fault(resolved({user("profile = \"x.toml\"\n")}))
            .starts_with("/u/config.toml:1:11: profile is 'x.toml'"));
  CHECK(fault(resolved({named("profile = \"a/b\"\n")})).starts_with("/n.toml:1:11: profile is 'a/b'"));
  CHECK(fault(resolved({user("profile = \"x-toml\"\n")})) == "none");
  CHECK(resolved({}, {"METAL_UNLOCK_PROFILE=a/b.toml"}).profile.value == "a/b.toml");
  CHECK(resolved({}, {}, {"a/b.toml", false, false}).profile.value == "a/b.toml");
}

TEST_CASE("a fault in a file is told with its place, and nothing of that file is used") {
  struct Row {
    std::string text;
    std::string fault;
  };
  const Row rows[] = {
      {"policy = \"sometimes\"\n", ":1:10: policy is 'sometimes', not prefer, require or off"},
      {"policy = 1\n", ":1:10: 'policy' is an integer, not a string"},
      {"profile = \"\"\n", ":1:11: 'profile' is empty"},
      {"children = \"yes\"\n", ":1:12: 'children' is a string, not true or false"},
      {"min_version = \"new\"\n", ":1:15: min_version is 'new', not a version such as 0.1.0"},
      {"min_version = 1\n", ":1:15: 'min_version' is an integer, not a string"},
      {"polcy = \"off\"\n", ":1:1: unknown key 'polcy', did you mean policy?"},
      {"[policy]\n", ":1:1: 'policy' is a table, not a string"},
      {"profile = \"m1\"\npolicy = off\n", ":2:"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Settings broken = resolved({user(row.text)});
    CHECK(fault(broken).starts_with("/u/config.toml" + row.fault));
    CHECK(broken.profile == Setting<std::string>{});
    CHECK(broken.policy == Setting<Policy>{});
  }
}

TEST_CASE("a broken file that was found is a circumstance, one that was named a mistake") {
  const std::string broken = "policy = \n";
  for (const ConfigText& file : {user(broken), project(broken), user("children = 1\n")}) {
    const Settings settings = resolved({file});
    REQUIRE(settings.findings.size() == 1);
    CHECK(settings.findings[0].id == FindingId::config_invalid);
    CHECK(settings.findings[0].cause == Cause::circumstance);
    CHECK(settings.findings[0].severity == Severity::warn);
  }
  const Settings mistake = resolved({named(broken)});
  REQUIRE(mistake.findings.size() == 1);
  CHECK(mistake.findings[0].cause == Cause::mistake);
  CHECK(mistake.findings[0].severity == Severity::fail);
}

TEST_CASE("a file that cannot be read is weighed in the same way") {
  const Finding unreadable{FindingId::file_unreadable, "'/c' cannot be read", "look"};
  for (const bool is_named : {false, true}) {
    const Settings settings = resolved({{ConfigText::Kind::user, "/c", is_named, unreadable}});
    REQUIRE(settings.findings.size() == 1);
    CHECK(settings.findings[0].id == FindingId::file_unreadable);
    CHECK(settings.findings[0].cause == (is_named ? Cause::mistake : Cause::circumstance));
  }
}

TEST_CASE("one broken file does not spoil the other, and the worst fault comes first") {
  const Settings settings =
      resolved({project("profile = 1\n"), user("policy = \"require\"\n")}, {"METAL_UNLOCK=maybe"});
  CHECK(settings.policy.value == Policy::require);
  REQUIRE(settings.findings.size() == 2);
  CHECK(settings.findings[0].id == FindingId::setting_invalid);
  CHECK(settings.findings[1].id == FindingId::config_invalid);
}

TEST_CASE("a later version that is asked for is told, wherever it is asked for") {
  const Settings settings = resolved({project("min_version = \"0.2\"\n")});
  REQUIRE(settings.findings.size() == 1);
  CHECK(settings.findings[0].id == FindingId::min_version);
  CHECK(settings.findings[0].cause == Cause::circumstance);
  CHECK(fault(settings) == "/p/.metal-unlock.toml:1 asks for metal-unlock 0.2 or later, this is 0.1.0");
  CHECK(fault(resolved({project("min_version = \"0.1.0\"\n")})) == "none");
  CHECK(fault(resolved({project("min_version = \"0.1\"\n"), user("min_version = \"9\"\n")})) == "none");
}

TEST_CASE("versions are compared number by number") {
  struct Row {
    const char* has;
    const char* wants;
    std::optional<bool> answer;
  };
  const Row rows[] = {
      {"0.1.0", "0.1.0", true},
      {"0.1.0", "0.1", true},
      {"0.1", "0.1.0", true},
      {"0.1.0", "0.0.9", true},
      {"0.1.0", "0.1.1", false},
      {"0.10.0", "0.9.9", true},
      {"0.9.9", "0.10.0", false},
      {"1.0.0", "0.99.99", true},
      {"0.99.99", "1", false},
      {"10", "9.9.9", true},
      {"0.1.0", "00.01.00", true},
      {"0.1.0", "", std::nullopt},
      {"", "0.1.0", std::nullopt},
      {"0.1.0", "a", std::nullopt},
      {"0.1.0", "0.1.", std::nullopt},
      {"0.1.0", ".1", std::nullopt},
      {"0.1.0", "0.1.0.0", std::nullopt},
      {"0.1.0", "0.1.0-rc1", std::nullopt},
      {"0.1.0", " 0.1.0", std::nullopt},
      {"0.1.0", "-1", std::nullopt},
      {"0.1.0", "v1", std::nullopt},
      {"0.1.0", "4294967296", std::nullopt},
      {"0.1.0", "4294967295", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.has, row.wants);
    CHECK(is_at_least(row.has, row.wants) == row.answer);
  }
}
