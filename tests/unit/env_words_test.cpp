// SPDX-License-Identifier: MIT
#include "cli/core/target/env_words.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {
using Words = std::vector<std::string>;
const Environment usual{Words{"HOME=/home/me", "A=first", "A=second"}};
}  // namespace

TEST_CASE("env -S splits as env does") {
  struct Row {
    const char* text;
    std::optional<Words> words;
  };
  const Row rows[] = {
      {"", Words{}},
      {"a", Words{"a"}},
      {"  a \t b  ", Words{"a", "b"}},
      {"a 'b c' \"d e\"", Words{"a", "b c", "d e"}},
      {"a'b c'd", Words{"ab cd"}},
      {"'' \"\"", Words{"", ""}},
      {R"(a\_b "c\_d")", Words{"a", "b", "c d"}},
      {R"(\#a \$b \"c \'d \\e)", Words{"#a", "$b", "\"c", "'d", "\\e"}},
      {R"('a\'b\nc')", Words{R"(a'b\nc)"}},
      {R"("a\tb")", Words{"a\tb"}},
      {R"(a \c b)", Words{"a"}},
      {"a # b", Words{"a"}},
      {"a#b", Words{"a#b"}},
      {"${HOME}/x \"${HOME}\" '${HOME}'", Words{"/home/me/x", "/home/me", "${HOME}"}},
      {"${NONE} a", Words{"a"}},
      {"$HOME", std::nullopt},
      {"${HOME", std::nullopt},
      {"'a", std::nullopt},
      {"\"a", std::nullopt},
      {R"(a\q)", std::nullopt},
      {R"(a\)", std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(split_env_string(row.text, usual) == row.words);
  }
}

TEST_CASE("the words of env are read as env reads them") {
  const auto read = [](const Words& words) { return read_env_words(words, usual); };
  CHECK(read({"tool", "-x"})->command == Words{"tool", "-x"});
  CHECK(read({})->command.empty());
  CHECK(read({"-0"})->command.empty());
  for (const Words& words : {Words{"-u", "A", "tool"}, Words{"-uA", "tool"}, Words{"--unset=A", "tool"},
                             Words{"--unset", "A", "tool"}}) {
    CAPTURE(words);
    REQUIRE(read(words));
    CHECK(read(words)->change.unset == Words{"A"});
    CHECK(read(words)->command == Words{"tool"});
  }
  for (const char* clear : {"-i", "-", "--ignore-environment"}) {
    CAPTURE(clear);
    REQUIRE(read({clear, "B=1", "tool"}));
    CHECK(usual.with(read({clear, "B=1", "tool"})->change).entries().size() == 1);
  }
  CHECK(read({"-S", "B=1 tool -x", "y"})->command == Words{"tool", "-x", "y"});
  CHECK(read({"-SB=1 tool", "y"})->command == Words{"tool", "y"});
  CHECK(read({"--split-string=-u A tool", "y"})->change.unset == Words{"A"});
  CHECK(read({"--", "B=1", "tool"})->command == Words{"tool"});
  CHECK(read({"B=", "C=x=y", "tool"})->change.set.at(1).second == "x=y");
  for (const Words& words :
       {Words{"-C", "/tmp", "tool"}, Words{"-0", "tool"}, Words{"-v", "tool"}, Words{"-u"}, Words{"-S"},
        Words{"-S", "'a"}, Words{"=x", "tool"}, Words{"--bogus"}}) {
    CAPTURE(words);
    CHECK_FALSE(read(words));
  }
}

TEST_CASE("a variable that holds the -S which names it again comes to an end") {
  const auto call = [](const std::string& held) {
    return read_env_words(Words{"-S${A}", "tool"}, Environment{Words{"A=" + held}});
  };
  CHECK_FALSE(call("-S${A}"));
  CHECK_FALSE(call("-S${A} ${A} ${A}"));
  REQUIRE(call("-Sx"));
  CHECK(call("-Sx")->command == Words{"x", "tool"});
}

TEST_CASE("words that are longer than a system starts are not made") {
  const auto split = [](std::size_t size) {
    return split_env_string("${A}${A}", Environment{Words{"A=" + std::string(size, 'x')}});
  };
  CHECK_FALSE(split(600'000));
  REQUIRE(split(500'000));
  CHECK(split(500'000)->front().size() == 1'000'000);
  const std::string part(60'000, 'x');
  std::string named = "-S${A}";
  for (int i = 0; i < 4; ++i) named += " ${B}";
  CHECK_FALSE(read_env_words(Words{"-S${A}"}, Environment{Words{"A=" + named, "B=" + part}}));
}
