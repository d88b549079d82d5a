// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/cli/talking_process.hpp"

#include <csignal>
#include <sstream>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

std::string asking_client() { return build_directory() / "asking-client"; }
std::string reluctant_client() { return build_directory() / "reluctant-client"; }

std::vector<std::string> events_in(const std::filesystem::path& report) {
  std::vector<std::string> events;
  std::istringstream lines{read_file(report)};
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line).at("event"));
  return events;
}

/// Nothing but the shim stays in our folder.
void check_nothing_is_left(const Sandbox& sandbox) {
  CHECK_NOTHROW(sandbox.placed_shim());
  CHECK(std::filesystem::is_empty(sandbox.work()));
}

/// A user that is nobody else's, with whom the tests can be refused something even as root.
Words as_nobody(const Words& argv) {
  if (geteuid() != 0) return argv;
  Words words{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"};
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

void open_for_everybody(const Sandbox& sandbox) {
  const auto root = sandbox.home().parent_path();
  // Sticky, as such folders are: otherwise nobody's files would be safe there.
  std::filesystem::permissions(root, std::filesystem::perms::all | std::filesystem::perms::sticky_bit);
  for (const auto& entry : std::filesystem::directory_iterator(root))
    std::filesystem::permissions(entry.path(),
                                 std::filesystem::perms::all | std::filesystem::perms::sticky_bit);
}

}  // namespace

TEST_CASE("a debugger may attach to a process here, without which nothing of this can be shown") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  const Outcome gdb = sandbox.execute(
      {"gdb", "-nx", "-batch", "-p", client.pid_text(), "-ex", "python print('python works')"});
  INFO(gdb.err);
  CHECK(gdb.err.find("not permitted") == std::string::npos);
  CHECK(gdb.out.find("python works") != std::string::npos);
}

TEST_CASE("the next question of a running process gets the claimed answer, and what it was told it keeps") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  REQUIRE(client.ask("create") == "Apple5 32768");
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  INFO(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("is unlocked: its AppleParavirtDevice, asked from inside, gives the claimed answers "
                         "up to Apple7\n") != std::string::npos);
  CHECK(outcome.out.find("what the process has asked before, it keeps") != std::string::npos);
  CHECK(client.ask("ask") == "Apple7 32768");
  CHECK(client.ask("kept") == "Apple5");
  check_nothing_is_left(sandbox);

  const Outcome again = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(again.exit_status == 1);
  CHECK(finding_ids(again.err) == Words{"already-loaded"});
  CHECK(client.ask("ask") == "Apple7 32768");
  CHECK(client.finish() == 0);
}

TEST_CASE("a process that has not touched Metal yet is as if it had been started unlocked") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  const Outcome outcome = sandbox.metal_unlock({"attach", "--report", "report.jsonl", client.pid_text()});
  CHECK(outcome.exit_status == 0);
  CHECK(client.ask("create") == "Apple7 32768");
  CHECK(client.ask("kept") == "Apple7");
  const auto events = events_in(sandbox.work() / "report.jsonl");
  CHECK(events == Words{"plan", "loaded", "metal", "overridden", "device", "effective", "answer"});
  CHECK(client.finish() == 0);
}

TEST_CASE("a process that was started unlocked has the shim already") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command(run_words({asking_client()})));
  CHECK(finding_ids(sandbox.metal_unlock({"attach", client.pid_text()}).err) == Words{"already-loaded"});
  CHECK(client.ask("create") == "Apple7 32768");
}

TEST_CASE("what --require, --children or a claim's failure could do to a target, attach does not") {
  Sandbox sandbox;
  sandbox.set("METAL_UNLOCK", "require");
  sandbox.set("METAL_UNLOCK_CHILDREN", "1");
  TalkingProcess client(sandbox.command({asking_client()}));
  REQUIRE(sandbox.metal_unlock({"attach", client.pid_text()}).exit_status == 0);
  CHECK(client.ask("create") == "Apple7 32768");
  const std::string environment = read_file("/proc/" + client.pid_text() + "/environ");
  CHECK(environment.find("METAL_UNLOCK_HANDOFF") == std::string::npos);
}

TEST_CASE("where nothing needs to be unlocked the process is left alone") {
  const Sandbox sandbox("bare-metal-m1-ultra");
  TalkingProcess client(sandbox.command({asking_client()}));
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.out.find("is left as it is: ") != std::string::npos);
  CHECK(read_file("/proc/" + client.pid_text() + "/maps").find("libmetal-unlock") == std::string::npos);

  const Sandbox unknown("unknown-future-chip");
  const Outcome refused = unknown.metal_unlock({"attach", client.pid_text()});
  CHECK(refused.exit_status == 1);
  CHECK(finding_ids(refused.err) == Words{"profile-none"});
}

TEST_CASE("a process that ends while the shim is being loaded ends as it wanted to") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({reluctant_client(), "leave"}));
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"attach-failed"});
  CHECK(outcome.err.find("ended before the shim was loaded") != std::string::npos);
  CHECK(client.finish() == 7);
  check_nothing_is_left(sandbox);
}

TEST_CASE("a call that never comes back is taken back, and the process goes on") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({reluctant_client(), "wait"}));
  const Outcome outcome = sandbox.metal_unlock({"attach", "--timeout", "3", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(outcome.err.find("was not done with process") != std::string::npos);
  CHECK(client.ask("hello") == "here");
  CHECK(client.finish() == 0);
}

TEST_CASE("nothing is loaded into a process that is in the middle of loading") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  REQUIRE(client.ask("load") == "in the loader");
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"attach-failed"});
  CHECK(outcome.err.find("dl_iterate_phdr") != std::string::npos);
  CHECK(client.ask("go on") == "out of the loader");
  CHECK(sandbox.metal_unlock({"attach", client.pid_text()}).exit_status == 0);
  CHECK(client.ask("ask") == "Apple7 32768");
}

TEST_CASE("a stopped process is refused, and goes on when it is let") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  kill(client.pid(), SIGSTOP);
  siginfo_t stopped{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(client.pid()), &stopped, WSTOPPED | WNOWAIT) == 0);
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"process-unsuitable"});
  CHECK(outcome.err.find("next: let it go on: kill -CONT " + client.pid_text()) != std::string::npos);
  kill(client.pid(), SIGCONT);
  CHECK(client.ask("ask") == "Apple5 32768");
  CHECK(sandbox.metal_unlock({"attach", client.pid_text()}).exit_status == 0);
}

TEST_CASE("a process that a debugger has already is refused") {
  const Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  REQUIRE(ptrace(PTRACE_SEIZE, client.pid(), nullptr, nullptr) == 0);
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(outcome.err.find("has a debugger already") != std::string::npos);
  CHECK(client.ask("ask") == "Apple5 32768");
}

TEST_CASE("a process that lets nobody look into it is refused") {
  const Sandbox sandbox;
  open_for_everybody(sandbox);
  TalkingProcess client(sandbox.command(as_nobody({asking_client()})));
  const Words attach = as_nobody({metal_unlock_program(), "attach", client.pid_text()});
  REQUIRE(client.ask("hide") == "hidden 0");
  const Outcome outcome = sandbox.execute(attach);
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"attach-denied"});
  CHECK(client.ask("ask") == "Apple5 32768");

  TalkingProcess open(sandbox.command(as_nobody({asking_client()})));
  const Outcome allowed = sandbox.execute(as_nobody({metal_unlock_program(), "attach", open.pid_text()}));
  INFO(allowed.err);
  CHECK(allowed.exit_status == 0);
  CHECK(open.ask("ask") == "Apple7 32768");
}

TEST_CASE("another user's process is refused, even to root") {
  const Sandbox sandbox;
  open_for_everybody(sandbox);
  if (geteuid() == 0) {
    TalkingProcess client(sandbox.command(as_nobody({asking_client()})));
    const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
    CHECK(outcome.exit_status == 1);
    CHECK(outcome.err.find("belongs to another user") != std::string::npos);
    CHECK(client.ask("ask") == "Apple5 32768");
  } else {
    CHECK(sandbox.metal_unlock({"attach", "2"}).err.find("belongs to another user") != std::string::npos);
  }
}

TEST_CASE("processes that cannot be unlocked by their nature are refused") {
  const Sandbox sandbox;
  const auto sentence = [&](const std::string& pid) {
    const Outcome outcome = sandbox.metal_unlock({"attach", pid});
    CHECK(outcome.exit_status == 1);
    CHECK(finding_ids(outcome.err) == Words{"process-unsuitable"});
    return outcome.err;
  };
  CHECK(sentence("2000000000").find("does not exist") != std::string::npos);
  CHECK(sentence(std::to_string(getpid())).find("waits for it") != std::string::npos);

  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  siginfo_t seen{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(ended), &seen, WEXITED | WNOWAIT) == 0);
  CHECK(sentence(std::to_string(ended)).find("has ended") != std::string::npos);
  waitpid(ended, nullptr, 0);

  const pid_t linked_statically = fork();
  if (linked_statically == 0) {
    const std::string program = build_directory() / "silent-client";
    execl(program.c_str(), program.c_str(), "5000", nullptr);
    _exit(127);
  }
  std::string found;
  while (found.find("silent-client") == std::string::npos)
    found = std::filesystem::read_symlink("/proc/" + std::to_string(linked_statically) + "/exe");
  CHECK(sentence(std::to_string(linked_statically)).find("linked statically") != std::string::npos);
  kill(linked_statically, SIGKILL);
  waitpid(linked_statically, nullptr, 0);
}

TEST_CASE("without a debugger attach says what to install") {
  Sandbox sandbox;
  TalkingProcess client(sandbox.command({asking_client()}));
  sandbox.set("PATH", sandbox.home().string());
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"debugger-missing"});
}

TEST_CASE("wrong words are usage") {
  const Sandbox sandbox;
  for (const Words& words :
       {Words{"attach"}, Words{"attach", "0"}, Words{"attach", "-1"}, Words{"attach", "12x"},
        Words{"attach", "99999999999"}, Words{"attach", "1", "2"}, Words{"attach", "--timeout", "0", "1"}}) {
    const Outcome outcome = sandbox.metal_unlock(words);
    CHECK(outcome.exit_status == 2);
    CHECK(finding_ids(outcome.err) == Words{"usage"});
  }
}

TEST_CASE("the debugger of macOS does the same with the words that it is given") {
  Sandbox sandbox;
  // Debian's lldb looks for its Python where Debian does not put it.
  sandbox.set("PYTHONPATH", "/usr/lib/llvm-14/lib/python3.11/dist-packages:/usr/lib/python3/dist-packages");
  sandbox.set("METAL_UNLOCK_SIMULATED_DEBUGGER", "lldb");
  TalkingProcess client(sandbox.command({asking_client()}));
  REQUIRE(client.ask("create") == "Apple5 32768");
  REQUIRE(client.ask("load") == "in the loader");
  const Outcome busy = sandbox.metal_unlock({"attach", client.pid_text()});
  CHECK(busy.err.find("dl_iterate_phdr") != std::string::npos);
  REQUIRE(client.ask("go on") == "out of the loader");
  const Outcome outcome = sandbox.metal_unlock({"attach", client.pid_text()});
  INFO(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(client.ask("ask") == "Apple7 32768");
  CHECK(client.finish() == 0);

  TalkingProcess leaving(sandbox.command({reluctant_client(), "leave"}));
  const std::string words = sandbox.metal_unlock({"attach", leaving.pid_text()}).err;
  CAPTURE(words);
  CHECK(words.find("ended before the shim was loaded") != std::string::npos);
  CHECK(leaving.finish() == 7);
}
