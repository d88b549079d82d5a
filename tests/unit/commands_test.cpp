// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "cli/commands/sources.hpp"
#include "cli/text/help_text.hpp"
#include "shim/handoff.hpp"
#include "tests/catch.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

const std::string head = "schema = 1\ndescription = \"a sample\"\n";

json printed(const RecordedSystem& system) {
  const json document = json::parse(system.out);
  CHECK(document.at("schema") == 1);
  CHECK(system.out.ends_with("}\n"));
  return document;
}

}  // namespace

TEST_CASE("a mistake in the words is 125 for run and 2 for every other command") {
  for (const Words& words :
       {Words{}, Words{"bogus"}, Words{"--bogus"}, Words{"probe", "x"}, Words{"env", "--bogus"},
        Words{"profiles", "edit"}, Words{"config", "x"}, Words{"help", "bogus"}}) {
    CAPTURE(words);
    RecordedSystem system;
    CHECK(system.run(words).status == 2);
    CHECK(system.out.empty());
    CHECK(holds(system.err, "  next: "));
    CHECK(system.acts.empty());
  }
  RecordedSystem system;
  CHECK(system.run({"run", "--bogus"}).status == 125);
}

TEST_CASE("help and version go to stdout") {
  RecordedSystem system;
  CHECK(system.run({"--help"}).status == 0);
  CHECK(system.out == program_help());
  for (const CommandRow& row : command_rows()) {
    RecordedSystem page;
    CHECK(page.run({"help", std::string{row.name}}).status == 0);
    CHECK(page.out == command_help(row));
    CHECK(page.err.empty());
    CHECK(page.acts.empty());
  }
  RecordedSystem version;
  CHECK(version.run({"--version"}).status == 0);
  CHECK(version.out == "metal-unlock " + std::string{program_version()} + "\n");
}

TEST_CASE("output that nobody takes is a failure") {
  for (const Words& words : {Words{"--help"}, Words{"--version"}, Words{"config"}, Words{"profiles"},
                             Words{"probe"}, Words{"env"}, Words{"probe", "--json"}}) {
    CAPTURE(words);
    RecordedSystem system;
    CHECK(system.run(words).status == 0);
    system.takes_output = false;
    CHECK(system.run(words).status == 1);
  }
}

TEST_CASE("env prints the change that run would make") {
  RecordedSystem run;
  const Ran ran = run.run({"run", "--children", "tool"});
  REQUIRE(ran.started);
  RecordedSystem shell;
  CHECK(shell.run({"env", "--children", "tool"}).status == 0);
  CHECK(shell.out == "export LD_PRELOAD=" + shell.shim + "\nexport METAL_UNLOCK_HANDOFF='" +
                         ran.started->change.set.at(1).second + "'\n");
  CHECK(shell.acts == Words{"observe", "place shim"});
  RecordedSystem document;
  CHECK(document.run({"env", "--json", "--children", "tool"}).status == 0);
  const json change = printed(document);
  CHECK(change.at("unlocked") == true);
  CHECK(change.at("set").at("METAL_UNLOCK_HANDOFF") == ran.started->change.set.at(1).second);
  CHECK(change.at("unset").empty());
}

TEST_CASE("env without a command suits a shell whose programs are unlocked") {
  RecordedSystem system;
  CHECK(system.run({"env", "--json"}).status == 0);
  const std::string text = printed(system).at("set").at("METAL_UNLOCK_HANDOFF");
  shim::Handoff handoff;
  REQUIRE(shim::parse_handoff(text.c_str(), handoff) == shim::HandoffState::well_formed);
  CHECK(handoff.open == shim::OpenMetal::programs);
}

TEST_CASE("env changes nothing where run would start stock, and nothing is printed where it would refuse") {
  RecordedSystem stock("not-a-mac");
  CHECK(stock.run({"env"}).status == 0);
  CHECK(stock.out.empty());
  CHECK(stock.run({"env", "--json"}).status == 0);
  CHECK(printed(stock).at("unlocked") == false);
  RecordedSystem outer("not-a-mac");
  outer.variables = Environment{{"METAL_UNLOCK_HANDOFF=v1;end"}};
  CHECK(outer.run({"env"}).status == 0);
  CHECK(outer.out == "unset METAL_UNLOCK_HANDOFF\n");
  RecordedSystem refused;
  CHECK(refused.run({"env", "--profile", "m11"}).status == 1);
  CHECK(refused.out.empty());
  CHECK(times(refused.err, "[profile-unknown]") == 1);
}

TEST_CASE("probe asks Metal here and prints what the recorded guests are made of") {
  RecordedSystem system;
  CHECK(system.run({"probe", "--json"}).status == 0);
  const auto report = parse_guest_report(system.out, "printed");
  REQUIRE(report);
  CHECK(report->machine == system.guest.machine);
  CHECK(report->devices == system.guest.devices);
  CHECK_FALSE(report->unlocked);
  CHECK(report->tool_version == program_version());
  CHECK(system.acts == Words{"observe", "ask metal"});

  RecordedSystem table;
  CHECK(table.run({"probe"}).status == 0);
  CHECK(holds(table.out, "Apple1-5"));

  RecordedSystem fault;
  fault.metal_fault = Finding{FindingId::no_metal, "no Metal", "x"};
  CHECK(fault.run({"probe"}).status == 1);
  CHECK(times(fault.err, "[no-metal]") == 1);
  CHECK(fault.out.empty());
}

TEST_CASE("probe --unlocked asks in a process that is unlocked as run would") {
  RecordedSystem system;
  GuestReport inner = system.guest;
  inner.devices.at(0).families = {{1001}, {1007}, {3003}};
  system.captured = Captured{0, guest_report_json(inner)};
  CHECK(system.run({"probe", "--json", "--unlocked"}).status == 0);
  CHECK(system.acts == Words{"observe", "place shim", "capture"});
  REQUIRE(system.captured_plan);
  CHECK(system.captured_plan->file == "/usr/bin/metal-unlock");
  CHECK(system.captured_plan->argv == Words{"/usr/bin/metal-unlock", "probe", "--json"});
  CHECK(system.environment_of(*system.captured_plan).get(shim::handoff_variable));
  const auto report = parse_guest_report(system.out, "printed");
  REQUIRE(report);
  CHECK(report->unlocked);
  CHECK(report->devices == inner.devices);

  RecordedSystem machine("not-a-mac");
  machine.captured = Captured{0, guest_report_json(machine.guest)};
  CHECK(machine.run({"probe", "--json", "--unlocked"}).status == 0);
  CHECK(json::parse(machine.out).at("unlocked") == false);
}

TEST_CASE("probe --unlocked says once what went wrong") {
  struct Row {
    Words options;
    Result<Captured> captured;
    const char* told;
  };
  const Row rows[] = {
      {{"--profile", "m11"}, Captured{}, "[profile-unknown]"},
      {{}, Captured{139, ""}, "the unlocked probe ended with 139 [no-metal]"},
      {{}, Captured{0, "{}"}, "[guest-invalid]"},
      {{}, Finding{FindingId::exec_failed, "cannot start", "x"}, "[exec-failed]"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.told);
    RecordedSystem system;
    system.captured = row.captured;
    Words words{"probe", "--unlocked"};
    words.insert(words.end(), row.options.begin(), row.options.end());
    CHECK(system.run(words).status == 1);
    CHECK(times(system.err, row.told) == 1);
    CHECK(times(system.err, "metal-unlock: error") == 1);
    CHECK(system.out.empty());
  }
}

TEST_CASE("profiles are listed, shown and checked") {
  RecordedSystem system;
  system.add_file("/home/me/.config/metal-unlock/profiles/mine.toml", head + "extends = \"m1\"\n");
  system.add_file("/home/me/.config/metal-unlock/profiles/notes.txt", "not a profile");
  CHECK(system.run({"profiles"}).status == 0);
  CHECK(times(system.out, "\n") == 1 + built_in_profiles().size() + 1);
  CHECK(holds(system.out, "\nmine "));
  CHECK(holds(system.out, "\nm1-ultra  * "));
  CHECK(times(system.out, " * ") == 1);
  CHECK(system.acts == Words{"observe"});

  RecordedSystem show;
  CHECK(show.run({"profiles", "show", "--json", "m1", "m4-max"}).status == 0);
  const json document = printed(show);
  REQUIRE(document.at("profiles").size() == 2);
  CHECK(document.at("profiles")[1].at("name") == "m4-max");
  CHECK(document.at("profiles")[0].at("claims").at("apple_family") ==
        json{{"claim", 1007}, {"origin", "profiles/families/apple7.toml"}});
  CHECK(document.at("profiles")[0].at("ceiling").at("max_threadgroup_memory") == 32768);

  RecordedSystem check;
  check.add_file("a\nb/fine.toml", head);
  check.add_file("bad.toml", "schema = 1\n");
  CHECK(check.run({"profiles", "check", "a\nb/fine.toml"}).status == 0);
  CHECK(check.out == "a\\nb/fine.toml: fine\n");
  CHECK(check.err.empty());
  CHECK(check.run({"profiles", "check", "bad.toml", "absent.toml", "a\nb/fine.toml"}).status == 1);
  CHECK(times(check.out, ": fine\n") == 2);
  CHECK(holds(check.err, "bad.toml:1:1: description is missing [profile-invalid]"));
  CHECK(holds(check.err, "[file-unreadable]"));
}

TEST_CASE("a name that is unknown does not keep the others from being shown") {
  RecordedSystem system;
  CHECK(system.run({"profiles", "show", "m1", "m11", "m2"}).status == 1);
  CHECK(times(system.out, "profile  ") == 2);
  CHECK(times(system.err, "[profile-unknown]") == 1);
}

TEST_CASE("config prints every setting with its origin, and the files that are looked at") {
  RecordedSystem system;
  system.add_file("/home/me/.config/metal-unlock/config.toml", "children = true\n");
  system.add_file("/home/me/app/.metal-unlock.toml", "profile = \"m1\"\n");
  system.variables = Environment{{"METAL_UNLOCK=require"}};
  CHECK(system.run({"config", "--json"}).status == 0);
  const json settings = printed(system).at("settings");
  CHECK(settings.at("policy") == json{{"in_force", "require"}, {"origin", "METAL_UNLOCK"}});
  CHECK(settings.at("profile") == json{{"in_force", "m1"}, {"origin", "/home/me/app/.metal-unlock.toml:1"}});
  CHECK(settings.at("children").at("in_force") == "true");
  CHECK(settings.at("min_version") == json{{"in_force", "none"}, {"origin", "default"}});
  CHECK(printed(system).at("files").size() == 3);
  CHECK(printed(system).at("files")[0] == json{{"what", "user file"},
                                               {"path", "/home/me/.config/metal-unlock/config.toml"},
                                               {"state", "read"}});
  CHECK(printed(system).at("files")[2].at("state") == "not there");

  RecordedSystem broken;
  broken.add_file("/home/me/app/.metal-unlock.toml", "children = true\n");
  CHECK(broken.run({"config"}).status == 1);
  CHECK(times(broken.err, "[config-invalid]") == 1);
  CHECK(holds(broken.out, "chosen by chip"));
}

TEST_CASE("the user's folder follows XDG, and a relative path there is ignored") {
  RecordedSystem system;
  const auto folder = [&](std::vector<std::string> entries) {
    system.variables = Environment{std::move(entries)};
    return config_folder(system);
  };
  CHECK(folder({}) == "/home/me/.config/metal-unlock");
  CHECK(folder({"XDG_CONFIG_HOME="}) == "/home/me/.config/metal-unlock");
  CHECK(folder({"XDG_CONFIG_HOME=/x"}) == "/x/metal-unlock");
  CHECK(folder({"XDG_CONFIG_HOME=x"}) == "/home/me/.config/metal-unlock");
  system.home.clear();
  CHECK(folder({}).empty());
  CHECK(folder({"XDG_CONFIG_HOME=/x"}) == "/x/metal-unlock");
}

TEST_CASE("the project file is the nearest one, up to the root") {
  RecordedSystem system;
  CHECK(project_file(system).empty());
  system.add_file("/.metal-unlock.toml", "");
  CHECK(project_file(system) == "/.metal-unlock.toml");
  system.add_file("/home/.metal-unlock.toml", "");
  CHECK(project_file(system) == "/home/.metal-unlock.toml");
  system.add_file("/home/me/app/.metal-unlock.toml", "");
  CHECK(project_file(system) == "/home/me/app/.metal-unlock.toml");
  system.folder = "/home/me/application";
  CHECK(project_file(system) == "/home/.metal-unlock.toml");
  system.folder = "/";
  CHECK(project_file(system) == "/.metal-unlock.toml");
  system.folder.clear();
  CHECK(project_file(system).empty());
}

TEST_CASE("a named configuration takes the place of the user's own") {
  RecordedSystem system;
  system.add_file("/home/me/.config/metal-unlock/config.toml", "policy = \"off\"\n");
  system.add_file("/n.toml", "policy = \"require\"\n");
  CHECK(load_settings(system, {}).policy.value == Policy::off);
  system.variables = Environment{{"METAL_UNLOCK_CONFIG=/n.toml"}};
  CHECK(load_settings(system, {}).policy == Setting<Policy>{Policy::require, "/n.toml:1"});
  system.variables = Environment{{"METAL_UNLOCK_CONFIG="}};
  CHECK(load_settings(system, {}).policy.value == Policy::off);
}
