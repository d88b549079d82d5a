// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/hostile/surroundings.hpp"
#include "tests/text_search.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

/// Closes these streams and becomes "$@".
std::string without_streams(std::string_view digits) {
  std::string script = "exec";
  for (const char digit : digits) script += std::string{' ', digit, '>', '&', '-'};
  return script + "; exec \"$@\"";
}

constexpr const char* all_combinations[] = {"0", "1", "2", "01", "02", "12", "012"};

}  // namespace

TEST_CASE("no word of ours gets into a file that was opened where a stream was closed") {
  for (const char* closed : all_combinations) {
    CAPTURE(closed);
    Sandbox host("bare-metal-m5");
    const std::string report = host.metal_unlock({"host", "report"}).out;
    host.execute(
        shell(without_streams(closed), metal_unlock_words({"host", "report", "--output", "r.toml"})));
    CHECK(read_file(host.work() / "r.toml") == report);

    Sandbox guest;
    guest.set("METAL_UNLOCK_MACHINE_STATE", guest.write("state", "busy 0\n"));
    const Words bench =
        metal_unlock_words({"bench", "--runs", "1", "--warmup", "0", "--evidence", "e", "--svg", "c.svg",
                            "--", build_directory() / "bench-target", guest.work() / "log"});
    guest.execute(shell(without_streams(closed), bench));
    CHECK(read_file(guest.work() / "c.svg").ends_with("</svg>\n"));
    CHECK(guest.execute(shell("cd e && sha256sum --strict --check SHA256SUMS")).exit_status == 0);
    for (const char* side : {"stock-1", "unlocked-1"}) {
      const std::string name = side;
      CHECK(times(read_file(guest.work() / "e" / (name + ".stdout")), "\n") == 2);
      CHECK(read_file(guest.work() / "e" / (name + ".stderr")).empty());
    }
  }
}

TEST_CASE("a target under --require or with a report has the streams and descriptors it would have") {
  const Words list =
      shell("for n in /proc/self/fd/*; do test -e $n && all=\"$all ${n##*/}\"; done; echo \"$all\" > fds");
  for (const char* closed : {"", "0", "1", "2", "01", "02", "12", "012"}) {
    CAPTURE(closed);
    const Sandbox sandbox;
    const std::string around = *closed == '\0' ? "exec \"$@\"" : without_streams(closed);
    sandbox.execute(shell(around, list));
    const std::string wanted = read_file(sandbox.work() / "fds");
    for (const Words& options :
         {Words{"--require"}, Words{"--report", "r"}, Words{"--require", "--report", "r"}}) {
      std::filesystem::remove(sandbox.work() / "fds");
      CHECK(sandbox.execute(shell(around, run_words(list, options))).exit_status == 0);
      CHECK(read_file(sandbox.work() / "fds") == wanted);
    }
    CHECK(read_file(sandbox.work() / "r").ends_with("}\n"));
  }
}

TEST_CASE("where the end of children is ignored, everything that starts one works") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK_MACHINE_STATE", sandbox.write("state", "busy 0\n"));
  const std::string ignoring = "trap '' CHLD; exec \"$@\"";
  for (const Words& options : {Words{}, Words{"--require"}}) {
    std::filesystem::remove_all(sandbox.cache());
    const Outcome outcome = sandbox.execute(shell(ignoring, caps_words(options)));
    CHECK(highest_family(outcome) == unlocked_family);
    CHECK(outcome.err.empty());
  }
  const Outcome verify = sandbox.execute(shell(ignoring, metal_unlock_words({"verify"})));
  CHECK(verify.exit_status == 0);
  CHECK(verify.err.empty());
  const Outcome probe =
      sandbox.execute(shell(ignoring, metal_unlock_words({"probe", "--unlocked", "--json"})));
  CHECK(probe.exit_status == 0);
  CHECK(probe.err.empty());
  const Words bench = metal_unlock_words({"bench", "--runs", "1", "--warmup", "0", "--",
                                          build_directory() / "bench-target", sandbox.work() / "log"});
  CHECK(sandbox.execute(shell(ignoring, bench)).exit_status == 0);
  // A tool that fails is seen to fail.
  for (const char* tool : {"codesign", "xattr"})
    sandbox.write_program(std::string("bin/") + tool, "#!/bin/sh\nexit 1\n");
  sandbox.set("PATH", (sandbox.home().parent_path() / "bin").string() + ":/usr/bin:/bin");
  sandbox.execute({build_directory() / "make-program", "tool", "hardened"});
  const Outcome prepare =
      sandbox.execute(shell(ignoring, metal_unlock_words({"prepare", "./tool", "--output", "copy"})));
  CHECK(finding_ids(prepare.err) == Words{"prepare-failed"});
}

TEST_CASE("where SIGCHLD is blocked, a target that closed its streams is not waited for for ever") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK_MACHINE_STATE", sandbox.write("state", "busy 0\n"));
  const std::string silent =
      sandbox.write_program("work/silent", "#!/bin/bash\nexec 1>&- 2>&- 100>&- 101>&-\nsleep 0.1\n");
  ProcessCommand bench =
      sandbox.command(metal_unlock_words({"bench", "--runs", "1", "--warmup", "0", "--", silent}));
  bench.limit = std::chrono::seconds{20};
  const SignalsBlocked blocked{SIGCHLD};
  CHECK_FALSE(run_process(bench).timed_out);
}

TEST_CASE("signals are inherited as they were, whatever came before the target") {
  const Sandbox sandbox;
  const Words show{"grep", "-E", "^Sig(Blk|Ign|Cgt):", "/proc/self/status"};
  const std::string ignoring = "trap '' INT PIPE XFSZ CHLD; exec \"$@\"";
  const SignalsBlocked blocked{SIGUSR2, SIGHUP, SIGCHLD};
  const std::string stock = sandbox.execute(shell(ignoring, show)).out;
  for (const Words& options :
       {Words{}, Words{"--require"}, Words{"--verify"}, Words{"--report", "r"}, Words{"-v"}}) {
    CAPTURE(options);
    std::filesystem::remove_all(sandbox.cache());
    CHECK(sandbox.execute(shell(ignoring, run_words(show, options))).out == stock);
  }
  CHECK(sandbox.execute(run_words(show)).out != stock);
}

TEST_CASE("every command that prints says where its output did not arrive") {
  const Sandbox sandbox;
  const auto sample = [](const char* name) { return (source_directory() / "tests/samples" / name).string(); };
  std::vector<ProcessCommand> commands;
  for (const Words& words :
       {Words{"doctor"}, Words{"doctor", "--json"}, Words{"doctor", "--paths"}, Words{"doctor", "--", "true"},
        Words{"explain", "llama.cpp"}, Words{"explain", "llama.cpp", "--json"}, Words{"completions", "zsh"},
        Words{"alias", "true"}, Words{"host", "report"}, Words{"verify"}, Words{"verify", "--json"},
        Words{"env", "--launchd", "--", "/bin/true"},
        Words{"compare", sample("tinyllama-stock.json"), sample("tinyllama-unlocked.json")}})
    for (const char* around : {"exec \"$@\" >/dev/full", "exec \"$@\" >&-", "exec \"$@\""})
      commands.push_back(sandbox.command(shell(around, metal_unlock_words(words))));
  const std::vector<Outcome> outcomes = run_all(commands);
  for (std::size_t i = 0; i < outcomes.size(); i += 3) {
    const Outcome& arrived = outcomes[i + 2];
    for (const std::size_t lost : {i, i + 1}) {
      CAPTURE(commands[lost].argv, outcomes[lost].err, arrived.err);
      const Words ids = finding_ids(outcomes[lost].err);
      // Where there is nothing to print, nothing is lost.
      CHECK((arrived.out.empty() || std::ranges::count(ids, "output-failed") == 1));
      CHECK(outcomes[lost].exit_status != 0);
    }
  }
}
