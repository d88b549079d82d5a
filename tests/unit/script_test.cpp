// SPDX-License-Identifier: MIT
#include "cli/core/target/script.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("quotes around the name or the equals sign of an assignment make a command of it") {
  const auto assigned = read_wrapper_script("A='b c' exec server \"$@\"\n");
  REQUIRE(assigned);
  CHECK(assigned->assignments == std::vector<std::pair<std::string, std::string>>{{"A", "b c"}});
  CHECK_FALSE(read_wrapper_script("'A=b' exec server \"$@\"\n"));
  CHECK_FALSE(read_wrapper_script("A\"=b\" exec server \"$@\"\n"));
}

TEST_CASE("an option of exec is no program") {
  CHECK(read_wrapper_script("exec /bin/server \"$@\"\n"));
  CHECK_FALSE(read_wrapper_script("exec -a /bin/server \"$@\"\n"));
  CHECK(read_wrapper_script("'''exec' \"/a b/python\" \"$0\" \"$@\"\n"));
  CHECK_FALSE(read_wrapper_script("'''exec' \"-a\" \"$0\" \"$@\"\n"));
}

TEST_CASE("an interpreter line ends where a comment begins") {
  CHECK(interpreter_words("#! /bin/sh -e -u\nrest") == Words{"/bin/sh", "-e", "-u"});
  CHECK(interpreter_words("#!/bin/sh -e # ours") == Words{"/bin/sh", "-e"});
  CHECK(interpreter_words("#!/bin/sh#ours\n") == Words{"/bin/sh"});
}

TEST_CASE("a dollar is a letter between single quotes, and a variable between double ones") {
  const auto script = read_wrapper_script("#!/bin/sh\nexec '/opt/$tool' \"$@\"\n");
  REQUIRE(script);
  CHECK(script->words == Words{"/opt/$tool"});
  CHECK_FALSE(read_wrapper_script("#!/bin/sh\nexec \"/opt/$tool\" \"$@\"\n"));
}

TEST_CASE("two commands are no wrapper, and no other command of metal-unlock starts a script again") {
  CHECK(read_wrapper_script("exec /bin/a \"$@\"\n"));
  CHECK_FALSE(read_wrapper_script("exec /bin/a \"$@\"\nexec /bin/b \"$@\"\n"));
  CHECK(word_given_to_metal_unlock("metal-unlock run -- tool\n") == "tool");
  CHECK_FALSE(word_given_to_metal_unlock("metal-unlock doctor -- tool\n"));
}
