// SPDX-License-Identifier: MIT

// The program for macOS itself, executed over a recorded guest: it says what the one for Linux says.

#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/handoff_mutations.hpp"
#include "tests/shim/shim_run.hpp"

#include <signal.h>

using namespace metal_unlock;

namespace {

Outcome macos_program(const Sandbox& sandbox, const Words& words) {
  Words argv = entrance().starter;
  argv.insert(argv.end(), {(entrance().programs / "macho-run").string(), entrance().command_line.string()});
  argv.insert(argv.end(), words.begin(), words.end());
  ProcessCommand command = sandbox.command(argv);
  command.environment["LD_LIBRARY_PATH"] = entrance().programs.string();
  return run_process(command);
}

/// What it would set for a target, by the name of the variable.
std::string would_set(const std::string& text, const std::string& name) {
  const std::string start = "would set  " + name + "=";
  for (const std::string& line : split(text, "\n")) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

std::string with_metal(std::string handoff, const std::string& from, const std::string& to) {
  const std::size_t at = handoff.find("metal=" + from + ";");
  REQUIRE(at != std::string::npos);
  return handoff.replace(at, from.size() + 6, "metal=" + to);
}

}  // namespace

TEST_CASE("the program for macOS says what the one for Linux says") {
  const std::vector<Words> rows{{"--version"},
                                {"help", "run"},
                                {"profiles", "list"},
                                {"config", "--json"},
                                {"probe", "--json"},
                                {"profiles", "show", "m1-ultra"},
                                {"probe"},
                                {"help", "--man"},
                                {"completions", "bash"},
                                {"completions", "zsh"},
                                {"completions", "fish"},
                                {"completions", "profiles"},
                                {"nosuch"},
                                {"run", "--dry-run", "--", "nosuch"}};
  for (const char* guest : {"tahoe-26-m1-ultra", "bare-metal-m5"}) {
    const Sandbox sandbox(guest);
    for (const Words& words : rows) {
      CAPTURE(guest, words);
      const Outcome expected = sandbox.metal_unlock(words);
      const Outcome outcome = macos_program(sandbox, words);
      REQUIRE(expected.exit_status.has_value());
      CHECK(outcome.exit_status == expected.exit_status);
      CHECK(outcome.out == expected.out);
      CHECK(outcome.err == expected.err);
    }
  }
}

TEST_CASE("what the program for macOS would hand over differs in what only macOS has") {
  const std::string metal = "/System/Library/Frameworks/Metal.framework/Versions/A/Metal";
  const Words words{"run", "--dry-run", "--", "/bin/true"};
  for (const char* guest : {"tahoe-26-m1-ultra", "sequoia-15-m3-pro"}) {
    CAPTURE(guest);
    const Sandbox sandbox(guest);
    const std::string expected = sandbox.metal_unlock(words).out;
    const std::string told = macos_program(sandbox, words).out;
    CHECK(would_set(told, "LD_PRELOAD") == "");
    CHECK(would_set(told, "DYLD_INSERT_LIBRARIES").ends_with("/libmetal-unlock.dylib"));
    CHECK(would_set(expected, "LD_PRELOAD").ends_with("/libmetal-unlock.so"));
    const std::string handoff = would_set(told, "METAL_UNLOCK_HANDOFF");
    const std::string linux_metal = build_directory() / "libMetal.so";
    CHECK(handoff == with_metal(would_set(expected, "METAL_UNLOCK_HANDOFF"), linux_metal, metal));
  }
}

TEST_CASE("where the program calls what the loader does not have, it ends with the name") {
  const Sandbox sandbox;
  const Outcome outcome = macos_program(sandbox, {"env"});
  CHECK(outcome.signal == SIGABRT);
  CHECK(outcome.out == "");
  CHECK(outcome.err.starts_with("macho-loader: called: _"));
  CHECK(macos_program(sandbox, {"config"}).exit_status == 0);
}
