// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <signal.h>

using namespace metal_unlock;

TEST_CASE("the exit status is the target's") {
  const Sandbox sandbox;
  for (const int status : {0, 1, 7, 125, 126, 127, 255}) {
    CAPTURE(status);
    const Outcome outcome = sandbox.execute(run_words(shell("exit " + std::to_string(status))));
    CHECK(outcome.exit_status == status);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("a target that a signal ends is seen to be ended by that signal") {
  const Sandbox sandbox;
  for (const int signal : {SIGTERM, SIGKILL, SIGINT, SIGSEGV}) {
    CAPTURE(signal);
    const Outcome outcome = sandbox.execute(run_words(shell("kill -" + std::to_string(signal) + " $$")));
    CHECK_FALSE(outcome.exit_status);
    CHECK(outcome.signal == signal);
  }
}

TEST_CASE("the target has the process id that metal-unlock was started with") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.execute(run_words(shell("echo $$")));
  CHECK(outcome.out == std::to_string(outcome.pid) + "\n");
}

TEST_CASE("a target that is not there is 127") {
  const Sandbox sandbox;
  for (const char* word : {"no-such-program", "./no-such-program", "/no/such/program", ""}) {
    CAPTURE(word);
    const Outcome outcome = sandbox.metal_unlock({"run", "--", word});
    CHECK(outcome.exit_status == 127);
    CHECK(finding_ids(outcome.err) == Words{"not-found"});
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("a mistyped target is told what is near it") {
  Sandbox sandbox;
  sandbox.write_program("bin/llama-server", "#!/bin/sh\n");
  sandbox.set("PATH", (sandbox.work().parent_path() / "bin").string());
  const Outcome outcome = sandbox.metal_unlock({"run", "--", "lama-server"});
  CHECK(outcome.exit_status == 127);
  CHECK(outcome.err.find("llama-server") != std::string::npos);
  CHECK(sandbox.metal_unlock({"run", "--", "llama-server"}).exit_status == 0);
}

TEST_CASE("a target whose interpreter is not there is 127") {
  const Sandbox sandbox;
  sandbox.write_program("work/script", "#!/no/such/interpreter\n");
  const Outcome outcome = sandbox.metal_unlock({"run", "--", "./script"});
  CHECK(outcome.exit_status == 127);
  CHECK(outcome.err.find("interpreter") != std::string::npos);
}

TEST_CASE("a target that is there but cannot run is 126") {
  const Sandbox sandbox;
  std::filesystem::create_directory(sandbox.work() / "directory");
  sandbox.write("work/plain", "#!/bin/sh\n");
  sandbox.write_program("work/binary", std::string_view("\x7f"
                                                        "ELF\0\0\0\0 not for this machine\n",
                                                        32));
  struct Row {
    const char* word;
    const char* id;
  };
  for (const Row& row : {Row{"./directory", "not-executable"}, Row{"./plain", "not-executable"},
                         Row{"./binary", "exec-failed"}}) {
    CAPTURE(row.word);
    const Outcome outcome = sandbox.metal_unlock({"run", "--", row.word});
    CHECK(outcome.exit_status == 126);
    CHECK(finding_ids(outcome.err) == Words{row.id});
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("PATH is searched as execvp does it") {
  Sandbox sandbox;
  const std::string bin = sandbox.work().parent_path() / "bin";
  const std::string other = sandbox.work().parent_path() / "other";
  std::filesystem::create_directories(bin + "/tool");
  sandbox.write("bin/text", "no program");
  sandbox.write("other/text2", "no program");
  sandbox.write_program("other/tool", "#!/bin/sh\necho other\n");
  sandbox.write_program("work/here", "#!/bin/sh\necho here\n");
  const auto run = [&](const std::string& path, const std::string& word) {
    sandbox.set("PATH", path);
    return sandbox.metal_unlock({"run", "--", word});
  };
  CHECK(run(bin + ":" + other, "tool").out == "other\n");
  CHECK(run(bin, "tool").exit_status == 127);
  CHECK(run(bin + ":" + other, "text").exit_status == 126);
  CHECK(run(bin + ":" + other, "here").exit_status == 127);
  CHECK(run(bin + ":", "here").out == "here\n");
  CHECK(run(":" + bin, "here").out == "here\n");
  CHECK(run("", "here").out == "here\n");
}

TEST_CASE("a script without an interpreter line is handed to the shell, as execvp does it") {
  const Sandbox sandbox;
  sandbox.write_program("work/script", "echo \"$0\" \"$@\"\nexit 3\n");
  sandbox.write_program("work/empty", "");
  const Outcome outcome = sandbox.metal_unlock({"run", "--", "./script", "one", "", "-x"});
  CHECK(outcome.out == "./script one  -x\n");
  CHECK(outcome.exit_status == 3);
  CHECK(sandbox.metal_unlock({"run", "--", "./empty"}).exit_status == 0);
}

TEST_CASE("the arguments arrive untouched") {
  const Sandbox sandbox;
  const auto arguments_of = [&](const Words& given, bool dashes) {
    Words words{metal_unlock_program(), "run"};
    if (dashes) words.emplace_back("--");
    for (const std::string& word : shell("cat /proc/$$/cmdline", given)) words.push_back(word);
    const Words seen = zero_terminated(sandbox.execute(words).out);
    return Words(seen.begin() + 4, seen.end());
  };
  const Words odd{"",  "--",       "-x",    "--profile", "nosuch", "--help", "two\nlines",
                  " ", "\xff\xfe", "$HOME", "*",         "a=b",    "--",     ""};
  CHECK(arguments_of(odd, true) == odd);
  CHECK(arguments_of(odd, false) == odd);
  Words many;
  for (int i = 0; i < 4000; ++i) many.push_back("argument " + std::to_string(i));
  CHECK(arguments_of(many, true) == many);
  const Words one{std::string(120'000, 'x')};
  CHECK(arguments_of(one, true) == one);
}

TEST_CASE("the target's own name is the word that was typed") {
  const Sandbox sandbox;
  CHECK(zero_terminated(sandbox.metal_unlock({"run", "cat", "/proc/self/cmdline"}).out) ==
        Words{"cat", "/proc/self/cmdline"});
}
