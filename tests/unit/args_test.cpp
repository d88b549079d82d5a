// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "cli/args/parse.hpp"
#include "cli/args/split_words.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

template <class T>
T parsed(const Words& words) {
  const auto command = parse_command(words);
  INFO((command ? "" : command.finding().sentence));
  REQUIRE(command);
  REQUIRE(std::holds_alternative<T>(*command));
  return std::get<T>(*command);
}

Finding refused(const Words& words) {
  const auto command = parse_command(words);
  REQUIRE_FALSE(command);
  return command.finding();
}

}  // namespace

TEST_CASE("words are cut at -- or at the first word that is no option") {
  struct Row {
    Words words;
    Words own;
    Words rest;
  };
  const Row rows[] = {
      {{}, {}, {}},
      {{"tool"}, {}, {"tool"}},
      {{"-v", "tool", "-v"}, {"-v"}, {"tool", "-v"}},
      {{"--", "-weird"}, {}, {"-weird"}},
      {{"--profile", "m1", "--", "env", "A=1", "x"}, {"--profile", "m1"}, {"env", "A=1", "x"}},
      {{"--profile", "m1", "env", "A=1", "x"}, {"--profile", "m1"}, {"env", "A=1", "x"}},
      {{"--profile=m1", "x"}, {"--profile=m1"}, {"x"}},
      {{"--profile=a=b", "x"}, {"--profile=a=b"}, {"x"}},
      {{"--profile=-v", "x"}, {"--profile=-v"}, {"x"}},
      {{"--", "a", "--", "b"}, {}, {"a", "--", "b"}},
      {{"a", "--", "b"}, {}, {"a", "--", "b"}},
      {{"-v", "--", "--", "b"}, {"-v"}, {"--", "b"}},
      {{"--"}, {}, {}},
      {{"-qv", "--dry-run", "x", "--bogus"}, {"-qv", "--dry-run"}, {"x", "--bogus"}},
      {{"x", ""}, {}, {"x", ""}},
      {{"", "x"}, {}, {"", "x"}},
      {{"--", "", ""}, {}, {"", ""}},
      {{"-", "-v"}, {}, {"-", "-v"}},
      {{"-v", "A=1"}, {"-v"}, {"A=1"}},
      {{"\n", "--profile"}, {}, {"\n", "--profile"}},
  };
  const CommandRow& run = *command_row("run");
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const auto split = split_words(run, row.words);
    REQUIRE(split);
    CHECK(split->own == row.own);
    CHECK(split->rest == row.rest);
  }
}

TEST_CASE("a command with words of its own takes options among them, up to --") {
  const CommandRow& profiles = *command_row("profiles");
  CHECK(*split_words(profiles, {"show", "--json", "m1"}) == SplitWords{{"--json"}, {"show", "m1"}});
  CHECK(*split_words(profiles, {"check", "--", "--json"}) == SplitWords{{}, {"check", "--json"}});
  CHECK(*split_words(*command_row("config"), {"x", "--json"}) == SplitWords{{"--json"}, {"x"}});
}

TEST_CASE("what a command line gets wrong is said, with the nearest option") {
  struct Row {
    Words words;
    const char* sentence;
    const char* next;
  };
  const Row rows[] = {
      {{"--bogus", "x"}, "run has no option '--bogus'", "metal-unlock help run"},
      {{"--profil", "m1", "x"}, "run has no option '--profil'", "did you mean --profile?"},
      {{"--profil=m1", "x"}, "run has no option '--profil'", "did you mean --profile?"},
      {{"--Profile", "m1", "x"}, "run has no option '--Profile'", "did you mean --profile?"},
      {{"--dryrun", "x"}, "run has no option '--dryrun'", "did you mean --dry-run?"},
      {{"--json", "x"}, "run has no option '--json'", "metal-unlock help run"},
      {{"---", "x"}, "run has no option '---'", "metal-unlock help run"},
      {{"--=m1", "x"}, "run has no option '--'", "metal-unlock help run"},
      {{"-x", "y"}, "run has no option '-x'", "metal-unlock help run"},
      {{"-qx", "y"}, "run has no option '-x'", "metal-unlock help run"},
      {{"-V", "y"}, "run has no option '-V'", "metal-unlock help run"},
      {{"-1", "y"}, "run has no option '-1'", "metal-unlock help run"},
      {{"--profile"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"-v", "--profile"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile="}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile=", "--dry-run", "x"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile", "", "x"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile", "--", "x"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile", "-v", "x"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--profile", "--require", "x"}, "option '--profile' needs a value", "metal-unlock help run"},
      {{"--require=yes", "x"}, "option '--require' takes no value", "metal-unlock help run"},
      {{"--require=", "x"}, "option '--require' takes no value", "metal-unlock help run"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const auto split = split_words(*command_row("run"), row.words);
    REQUIRE_FALSE(split);
    CHECK(split.finding().id == FindingId::usage);
    CHECK(split.finding().sentence == row.sentence);
    CHECK(split.finding().next == row.next);
  }
}

TEST_CASE("run takes its options, and the target keeps its own") {
  struct Row {
    Words words;
    std::optional<std::string> profile;
    const char* flags;  ///< require, children, dry-run, quiet, verbose, beyond host
    Words target;
  };
  const Row rows[] = {
      {{"run", "llama-cli"}, {}, "......", {"llama-cli"}},
      {{"run", "-v", "llama-cli", "-v"}, {}, "....v.", {"llama-cli", "-v"}},
      {{"run", "--", "-weird"}, {}, "......", {"-weird"}},
      {{"run", "--profile", "m1", "--", "env", "A=1", "x"}, "m1", "......", {"env", "A=1", "x"}},
      {{"run", "--", "a", "--", "b"}, {}, "......", {"a", "--", "b"}},
      {{"run", "--require", "--children", "--dry-run", "--quiet", "--verbose", "--allow-beyond-host", "x"},
       {},
       "rcdqvb",
       {"x"}},
      {{"run", "-qv", "x"}, {}, "...qv.", {"x"}},
      {{"run", "-vq", "x"}, {}, "...qv.", {"x"}},
      {{"run", "-vv", "x"}, {}, "....v.", {"x"}},
      {{"run", "--require", "--require", "x"}, {}, "r.....", {"x"}},
      {{"run", "--profile=x.toml", "y"}, "x.toml", "......", {"y"}},
      {{"run", "--profile=a=b", "y"}, "a=b", "......", {"y"}},
      {{"run", "--profile", "m1", "--profile", "m2", "x"}, "m2", "......", {"x"}},
      {{"run", "--profile=m1", "--profile=m2", "x"}, "m2", "......", {"x"}},
      {{"run", "--profile=-1", "x"}, "-1", "......", {"x"}},
      {{"run", "--profile=--require", "x"}, "--require", "......", {"x"}},
      {{"run", "--profile", "[m1,m2]", "x"}, "[m1,m2]", "......", {"x"}},
      {{"run", "--profile=[m1]", "x"}, "[m1]", "......", {"x"}},
      {{"run", "--profile", "{}", "x"}, "{}", "......", {"x"}},
      {{"run", "--profile", "a,b", "x"}, "a,b", "......", {"x"}},
      {{"run", "--profile", "a b\nc", "x"}, "a b\nc", "......", {"x"}},
      {{"run", "--profile", "\"m1\"", "x"}, "\"m1\"", "......", {"x"}},
      {{"run", "x", "--help"}, {}, "......", {"x", "--help"}},
      {{"run", "", "a"}, {}, "......", {"", "a"}},
      {{"run", "--", ""}, {}, "......", {""}},
      {{"run", "run", "run"}, {}, "......", {"run", "run"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const auto run = parsed<RunCommand>(row.words);
    const auto sign = [](bool is_set, char letter) { return is_set ? letter : '.'; };
    const std::string flags{sign(run.launch.flags.require, 'r'),
                            sign(run.launch.flags.children, 'c'),
                            sign(run.dry_run, 'd'),
                            sign(run.quiet, 'q'),
                            sign(run.verbose, 'v'),
                            sign(run.launch.allow_beyond_host, 'b')};
    CHECK(flags == row.flags);
    CHECK(run.launch.log == run.verbose);
    CHECK(run.launch.flags.profile == row.profile);
    CHECK(run.target == row.target);
  }
}

TEST_CASE("thousands of arguments reach the target in order and untouched") {
  Words words{"run", "-v", "--", "tool"};
  Words target{"tool"};
  for (int i = 0; i < 4000; ++i) {
    target.push_back(i % 3 == 0 ? "--profile" : i % 3 == 1 ? "" : "argument " + std::to_string(i));
    words.push_back(target.back());
  }
  CHECK(parsed<RunCommand>(words).target == target);
}

TEST_CASE("run needs a command") {
  for (const Words& words :
       {Words{"run"}, Words{"run", "--"}, Words{"run", "-v"}, Words{"run", "--profile", "m1"}}) {
    CAPTURE(words);
    const Finding finding = refused(words);
    CHECK(finding.id == FindingId::no_command);
    CHECK(finding.next.find("run [OPTION") != std::string::npos);
  }
  CHECK(refused({}).id == FindingId::no_command);
}

TEST_CASE("every command can be asked for its page") {
  CHECK(parsed<HelpCommand>({"--help"}).topic.empty());
  CHECK(parsed<HelpCommand>({"-h"}).topic.empty());
  CHECK(parsed<HelpCommand>({"help"}).topic.empty());
  for (const CommandRow& row : command_rows()) {
    const std::string name{row.name};
    CAPTURE(name);
    CHECK(parsed<HelpCommand>({name, "--help"}).topic == name);
    CHECK(parsed<HelpCommand>({name, "-h"}).topic == name);
    CHECK(parsed<HelpCommand>({"help", name}).topic == name);
  }
  CHECK(parsed<HelpCommand>({"run", "--help", "x"}).topic == "run");
  CHECK(refused({"help", "bogus"}).sentence == "there is no command 'bogus'");
  CHECK(refused({"help", "run", "env"}).sentence == "help takes one command");
  parsed<VersionCommand>({"--version"});
  parsed<VersionCommand>({"-V"});
}

TEST_CASE("an unknown command names the nearest, and how to start a program") {
  CHECK(refused({"rum", "x"}).next == "did you mean run?");
  CHECK(refused({"profile"}).next == "did you mean profiles?");
  CHECK(refused({"llama-server", "-m"}).sentence == "there is no command 'llama-server'");
  CHECK(refused({"llama-server", "-m"}).next.find("metal-unlock run -- COMMAND") != std::string::npos);
  CHECK(refused({""}).id == FindingId::usage);
  // An option of a command, put before it, is no slip for a command of nearly the same name.
  CHECK(refused({"--profile", "m1", "run", "x"}).sentence == "there is no option '--profile'");
  CHECK(refused({"--profile", "m1", "run", "x"}).next.find("metal-unlock run -- COMMAND") !=
        std::string::npos);
  CHECK(refused({"--verison"}).next == "did you mean --version?");
}

TEST_CASE("profiles lists, shows or checks") {
  using enum ProfilesCommand::Action;
  struct Row {
    Words words;
    ProfilesCommand::Action action;
    bool json;
    Words names;
  };
  const Row rows[] = {
      {{"profiles"}, list, false, {}},
      {{"profiles", "list"}, list, false, {}},
      {{"profiles", "--json"}, list, true, {}},
      {{"profiles", "list", "--json"}, list, true, {}},
      {{"profiles", "show", "m1"}, show, false, {"m1"}},
      {{"profiles", "show", "m1", "--json", "m2"}, show, true, {"m1", "m2"}},
      {{"profiles", "check", "a.toml", "b.toml"}, check, false, {"a.toml", "b.toml"}},
      {{"profiles", "check", "--", "-a.toml"}, check, false, {"-a.toml"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const auto command = parsed<ProfilesCommand>(row.words);
    CHECK(command.action == row.action);
    CHECK(command.json == row.json);
    CHECK(command.names == row.names);
  }
  CHECK(refused({"profiles", "shw"}).sentence == "profiles cannot 'shw', did you mean show?");
  CHECK(refused({"profiles", "edit"}).sentence == "profiles cannot 'edit'");
  CHECK(refused({"profiles", "show"}).sentence == "profiles show needs a name");
  CHECK(refused({"profiles", "check"}).sentence == "profiles check needs a file");
  CHECK(refused({"profiles", "list", "m1"}).sentence == "profiles list takes no 'm1'");
}

TEST_CASE("env, probe and config take what their pages say") {
  CHECK(parsed<EnvCommand>({"env"}).target.empty());
  const auto env =
      parsed<EnvCommand>({"env", "--json", "--children", "--profile", "m1", "--", "x", "--shell"});
  CHECK(env.form == EnvCommand::Form::as_json);
  CHECK(env.launch.flags.children);
  CHECK(env.launch.flags.profile == "m1");
  CHECK(env.target == Words{"x", "--shell"});
  CHECK(parsed<EnvCommand>({"env", "--shell"}).form == EnvCommand::Form::as_shell);
  CHECK(refused({"env", "--shell", "--json"}).sentence == "--json and --shell exclude each other");

  const auto probe =
      parsed<ProbeCommand>({"probe", "--json", "--unlocked", "--profile=m1", "--allow-beyond-host"});
  CHECK((probe.json && probe.unlocked && probe.launch.allow_beyond_host));
  CHECK(probe.launch.flags.profile == "m1");
  const auto plain_probe = parsed<ProbeCommand>({"probe"});
  CHECK_FALSE((plain_probe.json || plain_probe.unlocked || plain_probe.launch.allow_beyond_host));
  CHECK(refused({"probe", "x"}).sentence == "probe takes no 'x'");
  CHECK(refused({"probe", "--", "x"}).sentence == "probe takes no 'x'");

  CHECK(parsed<ConfigCommand>({"config", "--json"}).json);
  CHECK_FALSE(parsed<ConfigCommand>({"config"}).json);
  CHECK(refused({"config", "get"}).sentence == "config takes no 'get'");
}

TEST_CASE("the declarations of every command are sound") {
  std::set<std::string_view> commands;
  for (const CommandRow& command : command_rows()) {
    CAPTURE(command.name);
    CHECK(commands.insert(command.name).second);
    CHECK(command.usage.starts_with(command.name));
    CHECK_FALSE(command.summary.empty());
    CHECK(command_row(command.name) == &command);
    std::set<std::string_view> names;
    for (const OptionRow& option : command.options) {
      CAPTURE(option.name);
      CHECK(option.name.starts_with("--"));
      CHECK(names.insert(option.name).second);
      if (!option.letter.empty()) {
        CHECK(names.insert(option.letter).second);
        CHECK((option.letter.size() == 2 && option.letter[0] == '-' && option.letter[1] != '-'));
        CHECK(option.value.empty());  // the letters of a cluster are flags
      }
      CHECK_FALSE(option.description.empty());
    }
    CHECK(names.contains("--help"));
  }
  CHECK(command_row("bogus") == nullptr);
  CHECK(command_row("") == nullptr);
}
