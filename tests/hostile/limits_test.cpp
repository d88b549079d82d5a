// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/hostile/surroundings.hpp"
#include "tests/text_search.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

/// `prlimit --KIND=LIMIT ARGV…`
Words limited(const std::string& limit, Words argv) {
  argv.insert(argv.begin(), {"prlimit", limit, "--"});
  return argv;
}

/// The longest text that fits into the environment of metal-unlock when it starts the target as it is.
std::string longest_padding(Sandbox& sandbox, const Words& report) {
  sandbox.set("METAL_UNLOCK", "off");
  std::size_t fits = 0;
  std::size_t does_not = 131'000;
  while (does_not - fits > 1) {
    const std::size_t middle = (fits + does_not) / 2;
    sandbox.set("PADDING", std::string(middle, 'x'));
    const bool starts = sandbox.execute(limited("--stack=524288", caps_words(report))).exit_status == 0;
    (starts ? fits : does_not) = middle;
  }
  sandbox.set("METAL_UNLOCK", std::nullopt);
  return std::string(fits, 'x');
}

}  // namespace

TEST_CASE("a target that fits stock and not unlocked starts stock, with a finding") {
  Sandbox sandbox;
  const Words report{"--report", "report.jsonl"};
  sandbox.set("PADDING", longest_padding(sandbox, report));
  const Outcome preferred = sandbox.execute(limited("--stack=524288", caps_words(report)));
  CAPTURE(preferred.err);
  CHECK(preferred.exit_status == 0);
  CHECK(highest_family(preferred) == stock_family);
  CHECK(finding_ids(preferred.err) == Words{"exec-failed"});
  CHECK(holds(preferred.err, "warning: "));
  CHECK(json::parse(read_file(sandbox.work() / "report.jsonl")).at("decision") == "stock");

  const Outcome required = sandbox.execute(limited("--stack=524288", caps_words({"--require"})));
  CHECK(required.exit_status == 126);
  CHECK(required.out.empty());
  CHECK(finding_ids(required.err) == Words{"exec-failed"});
  CHECK(holds(required.err, "error: "));
  CHECK(holds(required.err, "next: shorten the arguments or the environment"));
  CHECK(highest_family(sandbox.execute(caps_words())) == unlocked_family);
}

TEST_CASE("an environment of two megabytes arrives whole") {
  const LimitChanged stack{RLIMIT_STACK, rlim_t{64} << 20U};
  if (!stack) {
    WARN("this machine allows no large environment: nothing was tested here");
    return;
  }
  Sandbox sandbox;
  for (int i = 0; i < 20; ++i) sandbox.set("LARGE_" + std::to_string(i), std::string(105'000, 'x'));
  CHECK(highest_family(sandbox.execute(caps_words())) == unlocked_family);
  const Outcome stock = sandbox.execute({"env", "-0"});
  REQUIRE(stock.out.size() > 2'000'000);
  CHECK((sandbox.execute(run_words({"env", "-0"})).out == stock.out));
}

TEST_CASE("with few descriptors left a target runs all the same, and is never stock without a word") {
  const std::string close_all = "for n in 3 4 5 6 7 8 9; do eval \"exec $n>&-\"; done; exec \"$@\"";
  for (const int limit : {4, 5, 6, 7, 8, 12, 20, 64}) {
    CAPTURE(limit);
    const std::string word = "--nofile=" + std::to_string(limit);
    const Sandbox sandbox;
    const Outcome preferred = sandbox.execute(shell(close_all, limited(word, caps_words())));
    CAPTURE(preferred.err);
    CHECK(preferred.exit_status == 0);
    const bool is_unlocked = highest_family(preferred) == unlocked_family;
    CHECK(finding_ids(preferred.err).empty() == is_unlocked);
    const Outcome required = sandbox.execute(shell(close_all, limited(word, caps_words({"--require"}))));
    CAPTURE(required.err);
    if (required.exit_status == 0)
      CHECK(highest_family(required) == unlocked_family);
    else
      CHECK((required.exit_status == 125 && finding_ids(required.err).size() == 1));
    if (limit >= 12) CHECK((is_unlocked && required.exit_status == 0));
  }
}

TEST_CASE("a report that reaches the limit on files ends no target, and holds whole lines") {
  const Sandbox sandbox;
  const Words run = caps_words({"--report", "report.jsonl"});
  REQUIRE(sandbox.execute(run).exit_status == 0);
  const std::string whole = read_file(sandbox.work() / "report.jsonl");
  const std::size_t first = whole.find('\n') + 1;
  for (const std::size_t limit : {first, first + 40, first + 400, whole.size() - 1, whole.size()}) {
    CAPTURE(limit, whole.size());
    const Outcome outcome = sandbox.execute(limited("--fsize=" + std::to_string(limit), run));
    CHECK(outcome.exit_status == 0);
    CHECK(highest_family(outcome) == unlocked_family);
    const std::string text = read_file(sandbox.work() / "report.jsonl");
    CHECK(text.size() <= limit);
    CHECK(text.ends_with("}\n"));
    if (limit == whole.size()) CHECK(text == whole);
  }
  const Outcome none = sandbox.execute(limited("--fsize=10", run));
  CHECK(none.exit_status == 125);
  CHECK(finding_ids(none.err) == Words{"report-unwritten"});
  CHECK(read_file(sandbox.work() / "report.jsonl") == whole);
}

TEST_CASE("what is said about a start keeps no target from it, whatever stderr is") {
  // A file at its limit, a full disk, a pipe that nobody reads; with a finding, and with the shim's own
  // words.
  const std::string unread = "mkfifo pipe; { true <pipe & }; { rm pipe; wait; exec \"$@\"; } 2>pipe";
  const std::string at_limit = "exec 2>said; exec prlimit --fsize=0 -- \"$@\"";
  for (const std::string& around : {unread, at_limit, std::string{"exec 2>/dev/full; exec \"$@\""}})
    for (const char* guest : {"unknown-future-chip", "tahoe-26-m1-ultra"}) {
      CAPTURE(around, guest);
      Sandbox sandbox;
      sandbox.run_caps();
      sandbox.choose_guest(guest);
      const Outcome outcome = sandbox.execute(shell(around, caps_words({"-v"})));
      CHECK(outcome.exit_status == 0);
      CHECK(highest_family(outcome) ==
            (std::string_view{guest} == "unknown-future-chip" ? stock_family : unlocked_family));
    }
}

TEST_CASE("a silent shim ends the target under --require, though nobody reads stderr") {
  const Sandbox sandbox;
  const std::string unread = "mkfifo pipe; { true <pipe & }; { rm pipe; wait; exec \"$@\"; } 2>pipe";
  const Words silent = run_words({build_directory() / "silent-client", "50"}, {"--require"});
  CHECK(sandbox.execute(shell(unread, silent)).signal == SIGTERM);
}

TEST_CASE("a TMPDIR that leads nowhere is no fault of the GPU, and a limit on files is told as what it is") {
  Sandbox sandbox;
  const Outcome at_limit = sandbox.execute(limited("--fsize=0", metal_unlock_words({"verify"})));
  CAPTURE(at_limit.out, at_limit.err);
  CHECK(at_limit.exit_status == 3);
  CHECK(holds(at_limit.out, "no file can be mapped: File too large"));
  CHECK_FALSE(holds(at_limit.out, "crashed"));
  sandbox.set("TMPDIR", "/nowhere");
  const Outcome nowhere = sandbox.metal_unlock({"verify"});
  CHECK(nowhere.exit_status == 0);
  CHECK(nowhere.err.empty());
}
