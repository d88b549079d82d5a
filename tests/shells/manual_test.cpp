// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

std::string with_hyphens(std::string_view text) {
  std::string result;
  for (const char letter : text) result += letter == '-' ? std::string{"\\-"} : std::string{letter};
  return result;
}

Outcome lint(const Sandbox& sandbox, std::string_view page) {
  return sandbox.execute({"mandoc", "-Tlint", "-Wwarning", sandbox.write("work/page.1", page)});
}

}  // namespace

TEST_CASE("the manual page passes mandoc's lint, which finds a mistake where there is one") {
  const Sandbox sandbox;
  const Outcome printed = sandbox.metal_unlock({"help", "--man"});
  REQUIRE(printed.exit_status == 0);
  CHECK(printed.err.empty());
  const Outcome checked = lint(sandbox, printed.out);
  CAPTURE(checked.out, checked.err);
  CHECK(checked.exit_status == 0);
  CHECK(checked.out.empty());
  std::string broken = printed.out;
  broken.replace(broken.find(".El\n"), 4, "");
  CHECK(lint(sandbox, broken).exit_status != 0);
}

TEST_CASE("every command, option and variable is in the manual page") {
  const Sandbox sandbox;
  const std::string page = sandbox.metal_unlock({"help", "--man"}).out;
  for (const CommandRow& row : command_rows()) {
    CAPTURE(row.name);
    const std::size_t begin = page.find("\n.Ss " + std::string{row.name} + "\n");
    REQUIRE(begin != std::string::npos);
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const OptionRow& option : row.options) {
      CAPTURE(option.name, section);
      CHECK(section.find(" Fl " + with_hyphens(option.name.substr(1))) != std::string::npos);
      CHECK((option.letter.empty() ||
             section.find(".It Fl " + std::string{option.letter.substr(1)} + " ,") != std::string::npos));
    }
  }
  for (const VariableRow& row : variable_rows())
    CHECK(page.find(".It Ev " + std::string{row.name} + "=") != std::string::npos);
}

TEST_CASE("the manual page reads as it should") {
  const Sandbox sandbox;
  const auto page = sandbox.write("work/page.1", sandbox.metal_unlock({"help", "--man"}).out);
  const std::string read = sandbox.execute(shell("mandoc -Tascii page.1 | col -b")).out;
  CAPTURE(read);
  CHECK(read.find("metal-unlock - give a program inside a macOS virtual machine its GPU back") !=
        std::string::npos);
  CHECK(read.find("--profile NAME|FILE") != std::string::npos);
  CHECK(read.find("-v, --verbose") != std::string::npos);
  CHECK(read.find("...") != std::string::npos);
  CHECK(sandbox.metal_unlock({"help", "--man", "run"}).exit_status == 2);
}
