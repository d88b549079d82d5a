// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <signal.h>
#include <sys/resource.h>

using namespace metal_unlock;

namespace {

/// The same, started directly and through run; both must do what `check` expects.
template <class Check>
void both_ways(const Sandbox& sandbox, const std::string& around, const Words& target, Check check) {
  for (const bool through_run : {false, true}) {
    CAPTURE(around, through_run);
    check(sandbox.execute(shell(around, through_run ? run_words(target) : target)));
  }
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::uint32_t state = 20'261'130;
  for (char& byte : bytes) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace

TEST_CASE("stdin, stdout and stderr are the target's own, byte for byte") {
  const Sandbox sandbox;
  ProcessCommand command = sandbox.command(run_words(shell("cat; echo done >&2")));
  command.input = random_bytes(10'000'000);
  const Outcome outcome = run_process(command);
  CHECK((outcome.out == command.input));
  CHECK(outcome.err == "done\n");
}

TEST_CASE("a descriptor that was open stays open, and no other is") {
  const Sandbox sandbox;
  const auto file = sandbox.write("work/seven", "from descriptor 7\n");
  both_ways(sandbox, "exec 7<seven; exec \"$@\"", shell("cat <&7"),
            [](const Outcome& outcome) { CHECK(outcome.out == "from descriptor 7\n"); });
  const Words list = shell("for n in /proc/self/fd/*; do test -e $n && echo ${n##*/}; done");
  const Outcome stock = sandbox.execute(shell("exec 7<seven; exec \"$@\"", list));
  REQUIRE(stock.out.find("7\n") != std::string::npos);
  CHECK(sandbox.execute(shell("exec 7<seven; exec \"$@\"", run_words(list))).out == stock.out);
}

TEST_CASE("ignored and blocked signals are inherited as they were") {
  const Sandbox sandbox;
  const Words show{"grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"};
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGHUP);
  REQUIRE(pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0);
  const Words ignore = shell("trap '' INT PIPE; exec \"$@\"", show);
  const Outcome stock = sandbox.execute(ignore);
  const Outcome unlocked = sandbox.execute(shell("trap '' INT PIPE; exec \"$@\"", run_words(show)));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(unlocked.out == stock.out);
  CHECK(unlocked.out != sandbox.execute(run_words(show)).out);
}

TEST_CASE("the file mode mask, the priority and the working folder are inherited") {
  const Sandbox sandbox;
  both_ways(sandbox, "umask 027; exec nice -n 3 \"$@\"", shell("umask; nice; pwd"),
            [&](const Outcome& outcome) {
              // The tests themselves may be run with another priority than the usual one.
              const std::string nice = std::to_string(getpriority(PRIO_PROCESS, 0) + 3);
              CHECK(outcome.out ==
                    "0027\n" + nice + "\n" + std::filesystem::canonical(sandbox.work()).string() + "\n");
            });
}

TEST_CASE("a working folder that is gone is nothing to stumble over") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.execute(
      shell("mkdir gone; cd gone; rmdir ../gone; exec \"$@\"", run_words({metal_caps_program(), "--json"})));
  CHECK(outcome.err.empty());
  CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
}

TEST_CASE("a stream that was closed is closed in the target") {
  const Sandbox sandbox;
  for (const char* closed : {"0", "1", "2", "0 1", "1 2", "0 1 2"}) {
    CAPTURE(closed);
    std::string close = "exec";
    for (const char digit : std::string_view{closed})
      if (digit != ' ') close += std::string{' ', digit, '>', '&', '-'};
    const Words report =
        shell("for n in 0 1 2; do test -e /proc/$$/fd/$n || all=$all$n; done; printf %s $all > closed");
    for (const bool is_empty_cache : {true, false}) {
      if (is_empty_cache) std::filesystem::remove_all(sandbox.cache());
      const Outcome outcome = sandbox.execute(shell(close + "; exec \"$@\"", run_words(report)));
      CHECK(outcome.exit_status == 0);
      CHECK(outcome.out.empty());
      std::string wanted = closed;
      std::erase(wanted, ' ');
      CHECK(read_file(sandbox.work() / "closed") == wanted);
    }
  }
}

TEST_CASE("a target with a closed stream is unlocked all the same") {
  const Sandbox sandbox;
  const Words caps = run_words({metal_caps_program(), "--json"});
  const Outcome outcome = sandbox.execute(shell("exec <&- 2>&-; exec \"$@\"", caps));
  CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
}

TEST_CASE("a finding with nowhere to go stops nothing") {
  const Sandbox sandbox("unknown-future-chip");
  const Words target = run_words(shell("echo ran"));
  for (const char* around : {"exec 2>&-; exec \"$@\"", "exec 2>/dev/full; exec \"$@\""}) {
    CAPTURE(around);
    const Outcome outcome = sandbox.execute(shell(around, target));
    CHECK(outcome.out == "ran\n");
    CHECK(outcome.exit_status == 0);
  }
}
