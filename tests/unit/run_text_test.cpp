// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

Words the_tool(const Words& options = {}) {
  Words words{"run"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "tool", "-x", ""});
  return words;
}

}  // namespace

TEST_CASE("a dry run starts nothing, writes nothing and prints the decision") {
  struct Row {
    const char* guest;
    const char* decision;
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", "decision   start unlocked"},
      {"bare-metal-m5", "decision   start stock: this is bare metal (Mac17,2)"},
      {"unknown-future-chip", "decision   start stock: no profile matches the chip 'Apple M9'"},
      {"no-device", "decision   start stock: this guest has no paravirtual GPU"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.guest);
    RecordedSystem system(row.guest);
    const Ran ran = system.run(the_tool({"--dry-run"}));
    CHECK(ran.status == 0);
    CHECK_FALSE(system.did("place shim"));
    CHECK_FALSE(system.did("start"));
    CAPTURE(system.out);
    CHECK(system.out.find(row.decision) != std::string::npos);
  }
}

TEST_CASE("a dry run shows what a run would set, and the stock answers") {
  RecordedSystem system;
  system.out_terminal.has_unicode = true;
  CHECK(system.run(the_tool({"--dry-run"})).status == 0);
  CAPTURE(system.out);
  for (const char* part : {"apple_family Apple5 Apple7 Apple7 raised to Apple7 within the ceiling\n",
                           "32 KiB 32 KiB 32 KiB kept stock reaches it already\n", "m1-ultra (built in)",
                           "/usr/bin/tool", "apple7 (Apple M1 Ultra)"})
    CHECK(squeezed(system.out).find(part) != std::string::npos);
  RecordedSystem real;
  const Ran ran = real.run(the_tool());
  REQUIRE(ran.started);
  for (const auto& [name, value] : ran.started->change.set) {
    CAPTURE(name);
    CHECK(system.out.find("would set  " + name + "=" + value + "\n") != std::string::npos);
  }
  RecordedSystem silent;
  silent.metal_fault = Finding{FindingId::no_metal, "no Metal", "x"};
  CHECK(silent.run(the_tool({"--dry-run"})).status == 0);
  CHECK(squeezed(silent.out).find("unknown Apple7 Apple7 raised to Apple7") != std::string::npos);
  RecordedSystem refused;
  CHECK(refused.run(the_tool({"--dry-run", "--profile", "m4"})).status == 125);
  CHECK(refused.out.find("refuse with 125") != std::string::npos);
  CHECK(refused.out.find("would set") == std::string::npos);
}

TEST_CASE("only a terminal gets a line on success, -v tells more, -q nothing") {
  const auto said = [](bool is_terminal, const Words& options) {
    RecordedSystem system;
    system.err_terminal.is_terminal = is_terminal;
    CHECK(system.run(the_tool(options)).started);
    CHECK(system.out.empty());
    return system.err;
  };
  const std::string line = "metal-unlock: Apple M1 Ultra (virtual), profile m1-ultra, up to Apple7\n";
  CHECK(said(false, {}).empty());
  CHECK(said(true, {}) == line);
  CHECK(said(true, {"-q"}).empty());
  CHECK(said(true, {"-qv"}).empty());
  const std::string verbose = said(false, {"-v"});
  CHECK(verbose.starts_with(line));
  CHECK(verbose.find("set METAL_UNLOCK_HANDOFF=v1;") != std::string::npos);
  RecordedSystem machine("not-a-mac");
  machine.err_terminal.is_terminal = true;
  CHECK(machine.run(the_tool()).started);
  CHECK(machine.err.empty());
  CHECK(machine.run(the_tool({"-v"})).started);
  CHECK(machine.err == "metal-unlock: starting stock: this is no Mac with Apple silicon (Linux on x86_64)\n");
}
