// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <algorithm>
#include <signal.h>

using namespace metal_unlock;

namespace {

const std::vector<Words> printing_commands{{"probe"},
                                           {"probe", "--json"},
                                           {"probe", "--unlocked"},
                                           {"profiles", "list"},
                                           {"config"},
                                           {"help"},
                                           {"profiles", "show", "m1"},
                                           {"env"},
                                           {"help", "run"},
                                           {"--version"},
                                           {"profiles", "list", "--json"}};

/// `metal-unlock WORDS…` with a shell around it.
Outcome with(const Sandbox& sandbox, const std::string& script, Words words) {
  words.insert(words.begin(), metal_unlock_program());
  return sandbox.execute(shell(script, words));
}

}  // namespace

TEST_CASE("output that does not arrive is a finding and status 1") {
  const Sandbox sandbox;
  for (const Words& words : printing_commands)
    for (const char* script : {"exec \"$@\" >/dev/full", "exec \"$@\" >&-"}) {
      CAPTURE(script, words.front(), words.back());
      const Outcome outcome = with(sandbox, script, words);
      CHECK(outcome.exit_status == 1);
      CHECK(finding_ids(outcome.err) == Words{"output-failed"});
      CHECK(sandbox.metal_unlock(words).exit_status == 0);
    }
  const Outcome dry = with(sandbox, "exec \"$@\" >/dev/full", {"run", "--dry-run", "--", "true"});
  CHECK(dry.exit_status == 125);
  CHECK(finding_ids(dry.err) == Words{"output-failed"});
}

TEST_CASE("a reader that has seen enough is no failure, and nothing is said") {
  const Sandbox sandbox;
  // The reader is gone before the first byte is written.
  const std::string script = "mkfifo pipe; { true <pipe & }; { rm pipe; wait; exec \"$@\"; } >pipe";
  for (const Words& words : printing_commands) {
    CAPTURE(words.front(), words.back());
    const Outcome ended = with(sandbox, script, words);
    CHECK(ended.err.empty());
    CHECK(ended.signal == SIGPIPE);
    const Outcome ignoring = with(sandbox, "trap '' PIPE; " + script, words);
    CHECK(ignoring.err.empty());
    CHECK(ignoring.exit_status == 0);
  }
  CHECK(with(sandbox, "\"$@\" | head -1", {"profiles", "list"}).out.starts_with("NAME "));
}

TEST_CASE("help has a page for the program and for each command") {
  const Sandbox sandbox;
  const Outcome all = sandbox.metal_unlock({"help"});
  CHECK(all.exit_status == 0);
  CHECK(all.err.empty());
  CHECK(sandbox.metal_unlock({"--help"}).out == all.out);
  CHECK(sandbox.metal_unlock({"-h"}).out == all.out);
  for (const std::string command : {"run", "probe", "profiles", "env", "config", "help"}) {
    CAPTURE(command);
    CHECK(all.out.find("\n  " + command + " ") != std::string::npos);
    const Outcome page = sandbox.metal_unlock({"help", command});
    CHECK(page.exit_status == 0);
    CHECK(page.err.empty());
    CHECK(page.out.starts_with("usage: metal-unlock " + command));
    CHECK(sandbox.metal_unlock({command, "--help"}).out == page.out);
    CHECK(sandbox.metal_unlock({command, "-h"}).out == page.out);
  }
}

TEST_CASE("every option on the page of run is one that run takes") {
  const Sandbox sandbox;
  const std::string page = sandbox.metal_unlock({"help", "run"}).out;
  for (const Words& options :
       {Words{"--profile", "m1-ultra"}, Words{"--require"}, Words{"--children"}, Words{"--dry-run"},
        Words{"--allow-beyond-host"}, Words{"--quiet"}, Words{"-q"}, Words{"--verbose"}, Words{"-v"}}) {
    CAPTURE(options.front());
    CHECK(page.find(options.front()) != std::string::npos);
    CHECK(sandbox.execute(run_words({"true"}, options)).exit_status == 0);
  }
}

TEST_CASE("the version is one line") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock({"--version"});
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.out.starts_with("metal-unlock "));
  CHECK(outcome.out.find('\n') == outcome.out.size() - 1);
  CHECK(sandbox.metal_unlock({"-V"}).out == outcome.out);
}

TEST_CASE("on a terminal a start that unlocks is one line on stderr, and only there") {
  const Sandbox sandbox;
  // script(1) gives the command a terminal for all three streams and prints what it shows.
  const auto on_terminal = [&](const std::string& options, const std::string& guest) {
    const std::string line = "METAL_UNLOCK_GUEST=" + guest_file(guest).string() + " " +
                             metal_unlock_program() + " run " + options + " -- true";
    return sandbox.execute({"script", "-qec", line, "/dev/null"}).out;
  };
  const std::string shown = on_terminal("", "tahoe-26-m1-ultra");
  CHECK(shown.find("metal-unlock: Apple M1 Ultra (virtual)") != std::string::npos);
  CHECK(std::count(shown.begin(), shown.end(), '\n') == 1);
  CHECK(on_terminal("-q", "tahoe-26-m1-ultra").empty());
  CHECK(on_terminal("", "bare-metal-m1-ultra").empty());
}
