// SPDX-License-Identifier: MIT
#include "llama_cpp_version.hpp"
#include "tests/catch.hpp"
#include "tests/llama_cpp/support.hpp"

using namespace metal_unlock;

namespace {

std::string output_of(const std::string& option) {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.execute({build_directory() / "llama-support", option});
  INFO(outcome.err);
  REQUIRE(outcome.exit_status == 0);
  return outcome.out;
}

std::string page() { return read_file(source_directory() / "docs" / "llama.cpp.md"); }

}  // namespace

TEST_CASE("the tables of the page are what the command on it prints") {
  const std::string begin = "<!-- build/llama-support --markdown -->\n";
  const std::string end = "<!-- end -->\n";
  const std::string text = page();
  const auto from = text.find(begin);
  REQUIRE(from != std::string::npos);
  const auto to = text.find(end, from);
  REQUIRE(to != std::string::npos);
  const auto start = from + begin.size();
  CHECK(text.substr(start, to - start) == output_of("--markdown"));
}

TEST_CASE("the page names the version that was measured") {
  for (const char* name : {llama_cpp_version, llama_cpp_package, llama_cpp_commit}) {
    CAPTURE(name);
    CHECK(page().find(name) != std::string::npos);
  }
}

TEST_CASE("the file in the build folder is what the command prints") {
  CHECK(read_file(build_directory() / "llama-support.json") == output_of("--json"));
}

TEST_CASE("llama-support wants one of two options") {
  const Sandbox sandbox;
  CHECK(sandbox.execute({build_directory() / "llama-support"}).exit_status == 2);
  CHECK(sandbox.execute({build_directory() / "llama-support", "--yaml"}).exit_status == 2);
}

TEST_CASE("without npm the build says what is missing") {
  const Sandbox sandbox;
  const std::string script = source_directory() / "tests" / "llama_cpp" / "fetch_llama_cpp.cmake";
  const Outcome outcome = sandbox.execute(shell(
      "cmake=$(command -v cmake); PATH=/nowhere; exec \"$cmake\" -DFOLDER=fetched -P \"$1\"", {script}));
  CHECK(outcome.exit_status == 1);
  CHECK(outcome.err.find("npm and git are needed") != std::string::npos);
}
