// SPDX-License-Identifier: MIT
#include "shim/handoff.hpp"

#include "tests/catch.hpp"

#include <string>
#include <vector>

using namespace metal_unlock::shim;

namespace {

const std::string good =
    "v1;class=AppleParavirtDevice;apple-family=1007;max-threadgroup-memory=32768;"
    "recommended-max-working-set=11453251584;metal=/System/"
    "Metal;open=always;children;require;log;beyond-host;"
    "report=/tmp/report;report-fd=9;end";

struct Parsed {
  Handoff handoff;
  HandoffState state;

  explicit Parsed(const std::string& text) : state(parse_handoff(text.c_str(), handoff)) {}
  bool is_well_formed() const { return state == HandoffState::well_formed; }
};

/// The smallest good handoff with one more field.
std::string with_field(const std::string& field) { return "v1;class=D;apple-family=1007;" + field + ";end"; }

}  // namespace

TEST_CASE("unset, empty, malformed and well formed are four different states") {
  Handoff handoff;
  CHECK(parse_handoff(nullptr, handoff) == HandoffState::unset);
  CHECK(parse_handoff("", handoff) == HandoffState::empty);
  CHECK(parse_handoff("v1", handoff) == HandoffState::malformed);
  CHECK(parse_handoff(good.c_str(), handoff) == HandoffState::well_formed);
}

TEST_CASE("every field arrives") {
  const Parsed parsed(good);
  REQUIRE(parsed.is_well_formed());
  const Handoff& handoff = parsed.handoff;
  REQUIRE(handoff.class_count == 1);
  CHECK(std::string(handoff.classes[0]) == "AppleParavirtDevice");
  CHECK(handoff.apple_family == 1007);
  CHECK(handoff.max_threadgroup_memory == 32768);
  CHECK(handoff.recommended_max_working_set == 11453251584);
  CHECK(std::string(handoff.metal) == "/System/Metal");
  CHECK(handoff.open == OpenMetal::always);
  CHECK(handoff.children);
  CHECK(handoff.require);
  CHECK(handoff.log);
  CHECK(handoff.beyond_host);
  CHECK_FALSE(handoff.attached);
  CHECK(std::string(handoff.report) == "/tmp/report");
  CHECK(handoff.report_descriptor == 9);
}

TEST_CASE("the answers of a simulated smaller GPU arrive") {
  const Parsed parsed(
      "v1;class=D;simulated-apple-family=1003;simulated-max-threadgroup-memory=16384;"
      "simulated-recommended-max-working-set=4096;end");
  REQUIRE(parsed.is_well_formed());
  CHECK(parsed.handoff.simulated_family == 1003);
  CHECK(parsed.handoff.simulated_threadgroup_memory == 16384);
  CHECK(parsed.handoff.simulated_working_set == 4096);
  CHECK(parsed.handoff.apple_family == 0);
}

TEST_CASE("what is not mentioned is off") {
  const Parsed parsed("v1;class=D;max-threadgroup-memory=16;end");
  REQUIRE(parsed.is_well_formed());
  const Handoff& handoff = parsed.handoff;
  CHECK(handoff.apple_family == 0);
  CHECK(handoff.recommended_max_working_set == 0);
  CHECK(handoff.simulated_family == 0);
  CHECK(handoff.simulated_threadgroup_memory == 0);
  CHECK(handoff.simulated_working_set == 0);
  CHECK(handoff.open == OpenMetal::never);
  CHECK(std::string(handoff.report).empty());
  CHECK(handoff.report_descriptor == -1);
  CHECK_FALSE(
      (handoff.children || handoff.require || handoff.log || handoff.beyond_host || handoff.attached));
}

TEST_CASE("each mistake is malformed, and its nearest correct form is not") {
  struct Row {
    std::string mistake;
    std::string correct;
  };
  const std::string path(Handoff::max_path - 2, 'p');
  const std::string name(Handoff::max_class_name - 1, 'C');
  const std::vector<Row> rows{
      {"v2;class=D;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1 ;class=D;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1007;end;", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1007;end;log", "v1;class=D;apple-family=1007;log;end"},
      {"v1;class=D;apple-family=1007", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1007;end ", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=a b;apple-family=1007;end", "v1;class=a_b$.9;apple-family=1007;end"},
      {"v1;class=" + name + "C;apple-family=1007;end", "v1;class=" + name + ";apple-family=1007;end"},
      {"v1;class=A;class=B;class=C;class=D;class=E;apple-family=1007;end",
       "v1;class=A;class=B;class=C;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1000;end", "v1;class=D;apple-family=1001;end"},
      {"v1;class=D;apple-family=2000;end", "v1;class=D;apple-family=1999;end"},
      {"v1;class=D;apple-family=01007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=+1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1007x;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=18446744073709552623;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;apple-family=1007;apple-family=1007;end", "v1;class=D;apple-family=1007;end"},
      {"v1;class=D;max-threadgroup-memory=0;end", "v1;class=D;max-threadgroup-memory=16;end"},
      {"v1;class=D;max-threadgroup-memory=24;end", "v1;class=D;max-threadgroup-memory=32;end"},
      {"v1;class=D;max-threadgroup-memory=281474976710656;end",
       "v1;class=D;max-threadgroup-memory=281474976710640;end"},
      {"v1;class=D;recommended-max-working-set=0;end", "v1;class=D;recommended-max-working-set=1;end"},
      {"v1;class=D;recommended-max-working-set=281474976710656;end",
       "v1;class=D;recommended-max-working-set=281474976710655;end"},
      {with_field("simulated-apple-family=1003"), "v1;class=D;simulated-apple-family=1003;end"},
      {"v1;class=D;simulated-apple-family=1000;end", "v1;class=D;simulated-apple-family=1001;end"},
      {"v1;class=D;simulated-apple-family=2000;end", "v1;class=D;simulated-apple-family=1999;end"},
      {"v1;class=D;simulated-apple-family=1003;simulated-apple-family=1003;end",
       "v1;class=D;simulated-apple-family=1003;end"},
      {with_field("simulated-max-threadgroup-memory=24"), with_field("simulated-max-threadgroup-memory=32")},
      {with_field("max-threadgroup-memory=32;simulated-max-threadgroup-memory=16"),
       with_field("simulated-max-threadgroup-memory=16")},
      {with_field("simulated-recommended-max-working-set=0"),
       with_field("simulated-recommended-max-working-set=1")},
      {with_field("recommended-max-working-set=2;simulated-recommended-max-working-set=1"),
       with_field("recommended-max-working-set=2")},
      {with_field("unknown=1"), with_field("log")},
      {with_field("log=1"), with_field("log")},
      {with_field("log;log"), with_field("log")},
      {with_field("Log"), with_field("log")},
      {with_field("metal"), with_field("metal=/m")},
      {with_field("metal="), with_field("metal=/m")},
      {with_field("metal=m"), with_field("metal=/m")},
      {with_field("metal=/" + path + "p"), with_field("metal=/" + path)},
      {with_field("open=always"), with_field("metal=/m;open=always")},
      {with_field("metal=/m;open=never"), with_field("metal=/m;open=programs")},
      {with_field("report=relative"), with_field("report=/r")},
      {with_field("report=/r%0"), with_field("report=/r%20")},
      {with_field("report=/r%"), with_field("report=/r%25")},
      {with_field("report=/r%zz"), with_field("report=/r%3b")},
      {with_field("report=/r%00"), with_field("report=/r%01")},
      {with_field("report-fd=2"), with_field("report-fd=3")},
      {with_field("report-fd=1048577"), with_field("report-fd=1048576")},
      {with_field("report-fd=-1"), with_field("report-fd=11")},
  };
  for (const Row& row : rows) {
    CAPTURE(row.mistake, row.correct);
    CHECK(Parsed(row.mistake).state == HandoffState::malformed);
    CHECK(Parsed(row.correct).is_well_formed());
  }
}

TEST_CASE("fields come in any order") {
  CHECK(Parsed("v1;log;metal=/m;apple-family=1007;open=always;class=D;end").is_well_formed());
  CHECK(Parsed("log;v1;metal=/m;apple-family=1007;open=always;class=D;end").state == HandoffState::malformed);
}

TEST_CASE("percent-encoding carries every byte but zero") {
  const Parsed parsed(with_field("report=/a%3Bb%25c%3bd=%C3%A4"));
  REQUIRE(parsed.is_well_formed());
  CHECK(std::string(parsed.handoff.report) == "/a;b%c;d=\xc3\xa4");
}

TEST_CASE("every prefix of a good handoff is malformed") {
  REQUIRE(Parsed(good).is_well_formed());
  for (std::size_t length = 1; length < good.size(); ++length) {
    CAPTURE(length);
    CHECK(Parsed(good.substr(0, length)).state == HandoffState::malformed);
  }
}

TEST_CASE("a handoff is read up to its longest length and not beyond") {
  // Values may be written with three characters a byte, so a long handoff needs no long value.
  std::string text = "v1;class=A;apple-family=1007;metal=/" + std::string(1000, 'm') + ";report=/";
  const std::string tail = ";open=programs;end";
  for (int i = 0; i < 1000; ++i) text += "%72";
  REQUIRE(text.size() + tail.size() < max_handoff_length);
  CHECK(Parsed(text + tail).is_well_formed());
  std::string classes;
  for (const char* name : {";class=", ";class=", ";class="}) {
    classes += name;
    for (int i = 0; i < 63; ++i) classes += "%41";
  }
  std::string longest = "v1" + classes + text.substr(2) + tail;
  const std::string metal(1000, 'm');
  std::string encoded_metal;
  for (int i = 0; i < 1000; ++i) encoded_metal += "%6d";
  longest.replace(longest.find(metal), metal.size(), encoded_metal);
  CHECK(longest.size() < max_handoff_length);
  CHECK(Parsed(longest).is_well_formed());
  CHECK(Parsed(longest + std::string(max_handoff_length, 'x')).state == HandoffState::malformed);
}

TEST_CASE("children are told the same, without what is for this process only") {
  char told[max_handoff_length + 1];
  struct Row {
    std::string text;
    std::string expected;
  };
  const std::vector<Row> rows{
      {"v1;class=D;apple-family=1007;metal=/m;open=always;children;report-fd=9;end",
       "v1;class=D;apple-family=1007;metal=/m;open=programs;children;end"},
      {"v1;report-fd=9;class=D;apple-family=1007;metal=/m;open=programs;attached;log;end",
       "v1;class=D;apple-family=1007;metal=/m;open=programs;log;end"},
      {"v1;class=D;apple-family=1007;report=/r%3b;require;end",
       "v1;class=D;apple-family=1007;report=/r%3b;require;end"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    REQUIRE(Parsed(row.text).is_well_formed());
    REQUIRE(handoff_for_children(row.text.c_str(), told));
    CHECK(std::string(told) == row.expected);
    CHECK(Parsed(told).is_well_formed());
  }
}

TEST_CASE("a program opens Metal as the handoff says") {
  struct Row {
    OpenMetal open;
    const char* executable;
    bool opens;
  };
  const std::vector<Row> rows{
      {OpenMetal::never, "/opt/homebrew/bin/llama-server", false},
      {OpenMetal::always, "/opt/homebrew/bin/llama-server", true},
      {OpenMetal::always, "/bin/sh", true},
      {OpenMetal::always, "", true},
      {OpenMetal::programs, "/opt/homebrew/bin/llama-server", true},
      {OpenMetal::programs, "/usr/local/bin/python3", true},
      {OpenMetal::programs, "/binary", true},
      {OpenMetal::programs, "/Users/me/System/tool", true},
      {OpenMetal::programs, "/bin/sh", false},
      {OpenMetal::programs, "/sbin/mount", false},
      {OpenMetal::programs, "/usr/bin/env", false},
      {OpenMetal::programs, "/usr/sbin/sysctl", false},
      {OpenMetal::programs, "/usr/libexec/xpcproxy", false},
      {OpenMetal::programs, "/System/Applications/Preview.app/Contents/MacOS/Preview", false},
      {OpenMetal::programs, "", false},
      {OpenMetal::programs, "relative", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.executable, static_cast<int>(row.open));
    Handoff handoff;
    handoff.open = row.open;
    CHECK(opens_metal(handoff, row.executable) == row.opens);
  }
}
