// SPDX-License-Identifier: MIT
#include "tests/process.hpp"

#include "tests/catch.hpp"
#include "tests/files.hpp"

#include <csignal>
#include <system_error>

using namespace metal_unlock;

namespace {

ProcessCommand shell(const std::string& script) { return {.argv = {"sh", "-c", script}}; }

}  // namespace

TEST_CASE("stdout, stderr and the exit status come back apart") {
  const Outcome outcome = run_process(shell("echo one; echo two >&2; exit 3"));
  CHECK(outcome.out == "one\n");
  CHECK(outcome.err == "two\n");
  CHECK(outcome.exit_status == 3);
  CHECK_FALSE(outcome.signal);
  CHECK_FALSE(outcome.timed_out);
}

TEST_CASE("an end by signal is no exit status") {
  const Outcome outcome = run_process(shell("kill -TERM $$"));
  CHECK_FALSE(outcome.exit_status);
  CHECK(outcome.signal == SIGTERM);
}

TEST_CASE("the environment is that of the test with the changes asked for") {
  ProcessCommand command = shell("echo \"${ONE-unset} ${HOME-unset} ${PATH:+kept}\"");
  command.environment = {{"ONE", "a b"}, {"HOME", std::nullopt}};
  CHECK(run_process(command).out == "a b unset kept\n");
}

TEST_CASE("stdin is handed over, and more output than a pipe holds comes back") {
  const std::string megabyte(1 << 20, 'x');
  const Outcome outcome = run_process({.argv = {"cat"}, .input = megabyte});
  CHECK(outcome.out.size() == megabyte.size());
  CHECK(outcome.exit_status == 0);
}

TEST_CASE("a program that ignores its stdin does no harm") {
  CHECK(run_process({.argv = {"true"}, .input = std::string(1 << 20, 'x')}).exit_status == 0);
}

TEST_CASE("the working directory and the process id are those of the program") {
  const TemporaryDirectory directory;
  ProcessCommand command = shell("pwd -P; echo $$");
  command.directory = directory.path();
  const Outcome outcome = run_process(command);
  CHECK(outcome.out ==
        std::filesystem::canonical(directory.path()).string() + "\n" + std::to_string(outcome.pid) + "\n");
}

TEST_CASE("the time limit ends a program together with its children") {
  ProcessCommand command = shell("echo started; sleep 1000 & sleep 1000");
  command.limit = std::chrono::seconds(1);
  const Outcome outcome = run_process(command);
  CHECK(outcome.timed_out);
  CHECK(outcome.signal == SIGKILL);
  CHECK(outcome.out == "started\n");
}

TEST_CASE("a program that does not exist is no outcome") {
  CHECK_THROWS_AS(run_process({.argv = {"no-such-program-of-metal-unlock"}}), std::system_error);
}
