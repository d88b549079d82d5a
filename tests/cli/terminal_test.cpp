// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/pseudo_terminal.hpp"

#include <csignal>
#include <sstream>
#include <unistd.h>

using namespace metal_unlock;

namespace {

constexpr std::string_view ctrl_c = "\x03";
constexpr std::string_view ctrl_z = "\x1a";

/// What the client says of itself.
struct Place {
  int pid = 0;
  int group = 0;
  int foreground = 0;
  std::string streams;
};

/// An interactive bash in a sandbox, with our programs on PATH.
struct Shell {
  Sandbox sandbox;
  PseudoTerminal terminal;

  explicit Shell(std::string_view guest = "tahoe-26-m1-ultra")
      : sandbox(guest), terminal(prepared(sandbox), {24, 80}) {
    terminal.take_until("% ");
  }

  static ProcessCommand prepared(Sandbox& sandbox) {
    sandbox.set("PATH", build_directory().string() + ":/usr/bin:/bin");
    sandbox.set("PS1", "% ");
    sandbox.set("PROMPT_COMMAND", std::nullopt);
    sandbox.set("TERM", "dumb");
    for (const char* name : {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}) sandbox.set(name, std::nullopt);
    return sandbox.command({"bash", "--norc", "--noprofile", "--noediting", "-i"});
  }

  void enter(const std::string& line) const { terminal.type(line + "\n"); }

  Place place() {
    Place place;
    std::istringstream numbers{terminal.line_after("stands ")};
    numbers >> place.pid >> place.group >> place.foreground;
    place.streams = terminal.line_after("streams ");
    return place;
  }

  /// Until the shell is back, and the target itself has stopped: of a job's processes one may still read.
  void wait_until_stopped(int pid) {
    terminal.take_until("Stopped");
    terminal.take_until("% ");
    while (read_file("/proc/" + std::to_string(pid) + "/status").find("State:\tT") == std::string::npos)
      usleep(1000);
  }

  /// The answer to a question that bash itself answers: so it is there, and at its prompt.
  std::string ask(const std::string& expression) {
    enter("echo \"said\"=" + expression);
    return terminal.line_after("said=");
  }
};

std::vector<int> children_of(int pid) {
  std::istringstream words{
      read_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children")};
  std::vector<int> children;
  for (int child = 0; words >> child;) children.push_back(child);
  return children;
}

std::string program_of(int pid) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error);
}

/// Every process whose environment names this sandbox and that runs this program.
std::vector<int> processes_of(const Sandbox& sandbox, const std::string& program) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const int pid = std::stoi(name);
    if (program_of(pid) != program) continue;
    try {
      if (read_file(entry.path() / "environ").find(sandbox.home().string()) != std::string::npos)
        found.push_back(pid);
    } catch (const std::exception&) {  // it has ended meanwhile
      continue;
    }
  }
  return found;
}

std::string terminal_client() { return build_directory() / "terminal-client"; }

}  // namespace

TEST_CASE("under an interactive shell the target is the job, alone and with the terminal") {
  Shell shell;
  shell.enter("metal-unlock run -- terminal-client");
  const Place place = shell.place();
  CHECK(children_of(shell.terminal.pid()) == std::vector<int>{place.pid});
  CHECK(program_of(place.pid) == terminal_client());
  CHECK(place.group == place.pid);
  CHECK(place.foreground == place.pid);
  CHECK(processes_of(shell.sandbox, metal_unlock_program()).empty());
  // The very streams of the shell: the same terminal three times.
  const std::string name = place.streams.substr(0, place.streams.find(' '));
  CHECK(name.starts_with("/dev/"));
  CHECK(place.streams == name + " " + name + " " + name);
  shell.enter("leave 9");
  CHECK(shell.ask("$?") == "9");
}

TEST_CASE("Ctrl-C ends the target, and the shell sees a signal") {
  Shell shell;
  shell.enter("metal-unlock run -- terminal-client");
  const Place place = shell.place();
  shell.terminal.type(ctrl_c);
  shell.terminal.take_until("% ");
  CHECK(shell.ask("$?") == "130");
  CHECK(program_of(place.pid).empty());
  CHECK(children_of(shell.terminal.pid()).empty());
}

TEST_CASE("Ctrl-Z stops the job, bg and fg go on with it") {
  Shell shell;
  shell.enter("metal-unlock run -- terminal-client");
  const Place place = shell.place();
  shell.terminal.type(ctrl_z);
  shell.wait_until_stopped(place.pid);
  CHECK(shell.ask("$?") == "148");
  CHECK(shell.ask("$(jobs -p)") == std::to_string(place.pid));
  shell.enter("fg");
  shell.enter("where");
  const Place again = shell.place();
  CHECK(again.pid == place.pid);
  CHECK(again.foreground == place.pid);
  shell.enter("leave 4");
  CHECK(shell.ask("$?") == "4");
}

TEST_CASE("the size of the window reaches the target, at first and when it changes") {
  Shell shell;
  shell.enter("metal-unlock run -- terminal-client");
  shell.place();
  shell.enter("size");
  CHECK(shell.terminal.line_after("size ") == "24x80.");
  shell.terminal.resize({50, 132});
  CHECK(shell.terminal.line_after("size ") == "50x132.");
  shell.terminal.type(ctrl_c);
  shell.terminal.take_until("% ");
  CHECK(shell.ask("$?") == "130");
}

TEST_CASE("in the background the job's number is the target's, and wait has its status") {
  Shell shell;
  shell.enter(
      "metal-unlock run -- sh -c 'echo \"mine\"=$$; exit 6' & wait $!; echo \"status\"=$? \"job\"=$!");
  const std::string mine = shell.terminal.line_after("mine=");
  CHECK(shell.terminal.line_after("status=") == "6 job=" + mine);
}

TEST_CASE("a required unlock leaves nobody behind either") {
  Shell shell;
  shell.enter("metal-unlock run --require -- terminal-client");
  const Place place = shell.place();
  CHECK(children_of(shell.terminal.pid()) == std::vector<int>{place.pid});
  // Whoever listened for the shim ends of itself as soon as it has heard it.
  while (!processes_of(shell.sandbox, metal_unlock_program()).empty()) usleep(1000);
  shell.terminal.type(ctrl_c);
  shell.terminal.take_until("% ");
  CHECK(shell.ask("$?") == "130");
}

TEST_CASE("make sees the target itself: its status, its signal, its job") {
  Shell shell;
  shell.sandbox.write("work/Makefile",
                      "talk:\n\t@metal-unlock run -- terminal-client\n"
                      "fail:\n\t@metal-unlock run -- sh -c 'exit 3'\n"
                      "crash:\n\t@metal-unlock run -- sh -c 'kill -SEGV $$$$'\n");
  shell.enter("make fail");
  shell.terminal.take_until("fail] Error 3");
  shell.enter("make crash");
  shell.terminal.take_until("crash] Segmentation fault");

  shell.enter("make talk");
  const Place place = shell.place();
  const std::vector<int> make = children_of(shell.terminal.pid());
  REQUIRE(make.size() == 1);
  CHECK(children_of(make.front()) == std::vector<int>{place.pid});
  CHECK(place.group == make.front());
  CHECK(place.foreground == place.group);
  shell.terminal.type(ctrl_z);
  shell.wait_until_stopped(place.pid);
  shell.enter("fg");
  shell.enter("where");
  CHECK(shell.place().pid == place.pid);
  shell.terminal.type(ctrl_c);
  shell.terminal.take_until("make: *** ");
  // 130 after "Interrupt". GNU make 4.3 at times asks for the child that it has seen end already, with and
  // without us, and then says 2.
  const std::string status = shell.ask("$?");
  CHECK((status == "130" || status == "2"));
  CHECK(program_of(place.pid).empty());
}

TEST_CASE("a target under nohup outlives the terminal, and one without does not") {
  for (const bool is_kept : {true, false}) {
    CAPTURE(is_kept);
    Shell shell;
    const std::string nohup = is_kept ? "nohup " : "";
    shell.enter(nohup + "metal-unlock run -- sleep 300 < /dev/null > out 2>&1 &");
    const int pid = std::stoi(shell.ask("$!"));
    while (!program_of(pid).ends_with("/sleep")) usleep(1000);
    shell.terminal.hang_up();
    if (is_kept) {
      CHECK(program_of(pid).ends_with("/sleep"));
      // The hang-up was delivered to it, and nothing came of it.
      kill(pid, SIGHUP);
      CHECK(program_of(pid).ends_with("/sleep"));
      kill(pid, SIGKILL);
    }
    while (kill(pid, 0) == 0 && program_of(pid).ends_with("/sleep")) usleep(1000);
    CHECK(processes_of(shell.sandbox, metal_unlock_program()).empty());
  }
}

TEST_CASE("blocked and ignored signals are what they were") {
  const Sandbox sandbox;
  const Words client{terminal_client(), "signals"};
  for (const Words& start : {Words{"env", "--block-signal=USR1,WINCH", "--ignore-signal=TERM,PIPE"},
                             Words{"env", "--default-signal"}, Words{"nohup"}}) {
    const auto started = [&](Words words) {
      words.insert(words.begin(), start.begin(), start.end());
      return sandbox.execute(words).out;
    };
    const std::string direct = started(client);
    CHECK(direct.find("SigBlk:") != std::string::npos);
    CHECK(started(run_words(client)) == direct);
    CHECK(started(run_words(client, {"--require"})) == direct);
  }
}
