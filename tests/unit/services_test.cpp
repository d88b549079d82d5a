// SPDX-License-Identifier: MIT
#include "cli/args/parse.hpp"
#include "cli/core/launch_agent.hpp"
#include "cli/core/shell_alias.hpp"
#include "cli/core/xml_text.hpp"
#include "cli/text/completions_text.hpp"
#include "cli/text/doctor_annotations.hpp"
#include "tests/catch.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>
#include <set>

using namespace metal_unlock;

TEST_CASE("an annotation holds whatever a finding says in one line") {
  Diagnosis diagnosis;
  diagnosis.sections.push_back({"target a:b,c%d\ne", {}});
  auto& entries = diagnosis.sections.back().entries;
  entries.push_back({Severity::ok, "all is well", "", "", {}});
  entries.push_back({Severity::note, "50% of it: a, b", "some-note", "do::this", {"one", "two\r\nthree"}});
  entries.push_back({Severity::warn, "careful", "some-warning", "", {}});
  entries.push_back({Severity::fail, "::error::not ours", "some-failure", "stop", {}});
  CHECK(doctor_annotations(diagnosis) ==
        "::error title=metal-unlock%2C target a%3Ab%2Cc%25d\\ne%3A some-failure::::error::not ours%0Anext: "
        "stop\n"
        "::warning title=metal-unlock%2C target a%3Ab%2Cc%25d\\ne%3A some-warning::careful\n"
        "::notice title=metal-unlock%2C target a%3Ab%2Cc%25d\\ne%3A some-note::50%25 of it: a, b%0Anext: "
        "do::this"
        "%0Aone%0Atwo\\x0d\\nthree\n"
        "verdict: not ready (1 fail, 1 warn)\n");
}

TEST_CASE("doctor's form is chosen by --format, with the same exit status") {
  for (const char* form : {"text", "json", "github"}) {
    CAPTURE(form);
    RecordedSystem ready;
    CHECK(ready.run({"doctor", "--format", form}).status == 0);
    RecordedSystem unknown("unknown-future-chip");
    CHECK(unknown.run({"doctor", "--format", form}).status == 3);
  }
  RecordedSystem github("unknown-future-chip");
  github.run({"doctor", "--format", "github"});
  CHECK(github.out.starts_with("::error title=metal-unlock%2C profile%3A profile-none::"));
  RecordedSystem json;
  json.run({"doctor", "--format", "json"});
  RecordedSystem flag;
  flag.run({"doctor", "--json"});
  CHECK(json.out == flag.out);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"doctor", "--format", "xml"},
                                                {"doctor", "--format", "json", "--json"},
                                                {"doctor", "--paths", "--format", "github"}})
    CHECK(RecordedSystem{}.run(words).status == 2);
}

TEST_CASE("only a file with our line is ours") {
  const auto text =
      agent_plist({.label = "x", .argv = {"/a"}, .environment = {}, .working_folder = {}, .log = {}});
  REQUIRE(text);
  CHECK(is_own_agent(*text));
  CHECK_FALSE(is_own_agent(text->substr(1)));
  CHECK_FALSE(is_own_agent(""));
  std::string theirs = *text;
  theirs.replace(theirs.find("<!--"), 4, "<!-- not ");
  CHECK_FALSE(is_own_agent(theirs));
}

TEST_CASE("a property list holds every text that XML can hold, and no other") {
  const auto holds = [](const std::string& word) {
    return static_cast<bool>(
        agent_plist({.label = "x", .argv = {word}, .environment = {}, .working_folder = {}, .log = {}}));
  };
  for (const char* word :
       {"", "a", "\t\n\r", "\x7f", "é", "\xe2\x82\xac", "\xf0\x9f\x8d\x8e", "\xef\xbf\xbd"})
    CHECK(holds(word));
  for (const char* word : {"\x01", "\x1f", "\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8", "\xef\xbf\xbe", "a\xff"})
    CHECK_FALSE(holds(word));
}

TEST_CASE("of what launchctl prints only the first level counts") {
  const AgentState state = read_agent_state(
      "gui/501/x = {\n\tpath = /a b.plist\n\tstate = not running\n\n\tlast exit code = 78: EX_CONFIG\n"
      "\tsub = {\n\t\tpid = 1\n\t\tpath = /c\n\t}\n}\n");
  CHECK(state == AgentState{"/a b.plist", "not running", "", "78: EX_CONFIG"});
  CHECK(read_agent_state("") == AgentState{});
  CHECK(read_agent_state("path = /x") == AgentState{});
}

TEST_CASE("shells are known by the file's name") {
  CHECK(shell_kind("/opt/homebrew/bin/fish") == ShellKind::fish);
  CHECK(shell_kind("/bin/bash") == ShellKind::posix);
  CHECK(shell_kind("zsh") == ShellKind::posix);
  CHECK_FALSE(shell_kind("/bin/tcsh"));
  CHECK_FALSE(shell_kind("fish/bash-like"));
}

TEST_CASE("each kind of word has a name of its own, and fixed words where they are fixed") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Completing::report_form); ++i) {
    const auto kind = static_cast<Completing>(i);
    CHECK(names.insert(to_text(kind)).second);
    const auto fixed = fixed_kinds();
    CHECK((std::ranges::find(fixed, kind) != fixed.end()) != fixed_words(kind).empty());
  }
  CHECK(completing_of("FILE") == Completing::file);
  CHECK(completing_of("NAME|FILE") == Completing::profile_or_file);
  CHECK(completing_of("N") == Completing::nothing);
}

TEST_CASE("a carriage return in a property list is no end of a line") {
  CHECK(xml_text("a\rb\n") == "a&#13;b\n");
  CHECK(xml_text("a&<b>") == "a&amp;&lt;b&gt;");
}
