// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/hostile/surroundings.hpp"
#include "tests/text_search.hpp"

#include <algorithm>
#include <sys/stat.h>

using namespace metal_unlock;

namespace {

constexpr char apple6_profile[] = "schema = 1\ndescription = \"mine\"\n\n[claims]\napple_family = 1006\n";

/// What is no plain file, or no file to read, below the working folder.
Words make_traps(const Sandbox& sandbox) {
  const auto work = sandbox.work();
  REQUIRE(mkfifo((work / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_directory(work / "folder");
  std::filesystem::create_symlink("loop", work / "loop");
  std::filesystem::create_symlink("nowhere", work / "dangling");
  std::filesystem::create_symlink("pipe", work / "to-pipe");
  std::filesystem::create_symlink("/dev/zero", work / "to-device");
  write_file(work / "huge", "");
  std::filesystem::resize_file(work / "huge", std::uintmax_t{1} << 40U);
  return {"pipe",      "folder", "loop",      "dangling", "to-pipe",
          "to-device", "huge",   "/dev/full", "/dev/tty", "/proc/self/mem"};
}

std::string print_preload() { return "tr '\\0' '\\n' < /proc/$$/environ | grep ^LD_PRELOAD= | cut -d= -f2-"; }

}  // namespace

TEST_CASE("a profile or host report that is a trap is refused at once, and nothing is started") {
  const Sandbox sandbox;
  std::vector<ProcessCommand> commands;
  for (const std::string& trap : make_traps(sandbox))
    for (const char* option : {"--profile", "--host-report"}) {
      const std::string file = trap.starts_with('/') ? trap : "./" + trap;
      commands.push_back(sandbox.command(run_words({"touch", "ran"}, {option, file})));
      commands.back().limit = std::chrono::seconds{20};
    }
  for (const Outcome& outcome : run_all(commands)) {
    CAPTURE(outcome.err);
    CHECK_FALSE(outcome.timed_out);
    CHECK(outcome.exit_status == 125);
    CHECK(finding_ids(outcome.err) == Words{"file-unreadable"});
  }
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "ran"));
}

TEST_CASE("a trap where a configuration is looked for holds no start up") {
  const Sandbox shape;
  const Words traps = make_traps(shape);
  std::vector<std::unique_ptr<Sandbox>> sandboxes;
  std::vector<ProcessCommand> commands;
  for (const char* place :
       {"work/.metal-unlock.toml", "config/metal-unlock/config.toml",
        "config/metal-unlock/profiles/mine.toml", "config/metal-unlock/metal-unlock-host.toml"})
    for (const std::string& trap : traps) {
      sandboxes.push_back(std::make_unique<Sandbox>());
      const auto path = sandboxes.back()->write(place, "");
      std::filesystem::remove(path);
      std::filesystem::create_symlink(shape.work() / trap, path);
      commands.push_back(sandboxes.back()->command(caps_words()));
      commands.back().limit = std::chrono::seconds{20};
    }
  const std::vector<Outcome> outcomes = run_all(commands);
  for (const Outcome& outcome : outcomes) {
    CAPTURE(outcome.err);
    CHECK_FALSE(outcome.timed_out);
    // Stock with the reason; or unlocked where what is found counts as not there.
    const bool is_unlocked = highest_family(outcome) == unlocked_family;
    if (outcome.exit_status == 0)
      CHECK((is_unlocked || !finding_ids(outcome.err).empty()));
    else
      CHECK((outcome.exit_status == 125 && finding_ids(outcome.err).size() == 1));
  }
}

TEST_CASE("a stranger's project can do no more than name a profile, a policy and a version") {
  const Sandbox sandbox;
  sandbox.write("work/mine.toml", apple6_profile);
  sandbox.write("home/mine.toml", apple6_profile);
  for (const char* text :
       {"profile = \"../home/mine.toml\"", "profile = \"./mine.toml\"", "profile = \"~/mine.toml\"",
        "profile = \"/etc/passwd\"", "profile = \"mine\\u0000\"", "verify = true", "children = true",
        "require = true", "allow_beyond_host = true", "host_report = \"r.toml\"", "report = \"/tmp/x\"",
        "command = \"touch ran\"", "[claims]\napple_family = 1009", "[environment]\nLD_PRELOAD = \"/x.so\"",
        "policy = [\"require\"]", "[profile]\nname = \"apple6\"", "policy = \"Require\"",
        "min_version = 1"}) {
    CAPTURE(text);
    sandbox.write("work/.metal-unlock.toml", std::string(text) + "\n");
    const Outcome outcome = sandbox.execute(caps_words());
    const bool is_stock = outcome.exit_status == 0 && highest_family(outcome) == stock_family;
    CHECK((is_stock || outcome.exit_status == 125));
    CHECK(finding_ids(outcome.err).size() == 1);
  }
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "ran"));
  sandbox.write("work/.metal-unlock.toml",
                "profile = \"apple6\"\npolicy = \"prefer\"\nmin_version = \"0.0.1\"\n");
  CHECK(highest_family(sandbox.execute(caps_words())) == 1006);
}

TEST_CASE("a preload list with traps keeps its entries, and loads nothing that it did not name") {
  Sandbox sandbox;
  sandbox.run_caps();
  const std::string shim = sandbox.placed_shim();
  sandbox.write("work/libm.so.6", "no library");
  struct Row {
    std::string before;
    std::string others;  ///< in the order in which they follow the shim
  };
  for (const Row& row : {Row{"::libm.so.6::", "libm.so.6"}, Row{"  libm.so.6  ", "libm.so.6"}, Row{":", ""},
                         Row{" ", ""}, Row{"libm.so.6 " + shim + ":: " + shim, "libm.so.6"},
                         Row{shim + ":" + shim, ""}, Row{"libm.so.6:libm.so.6", "libm.so.6:libm.so.6"},
                         Row{"../work/../work/none.so", "../work/../work/none.so"},
                         Row{"/elsewhere/libmetal-unlock.so:libm.so.6", "libm.so.6"}}) {
    CAPTURE(row.before);
    sandbox.set("LD_PRELOAD", row.before);
    const Outcome outcome = sandbox.execute(run_words(shell(print_preload())));
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.out == shim + (row.others.empty() ? "" : ":" + row.others) + "\n");
    CHECK(finding_ids(outcome.err).empty());
    CHECK(highest_family(sandbox.execute(caps_words())) == unlocked_family);
    const Outcome inside = sandbox.execute(run_words(shell("printf %s \"$LD_PRELOAD\"")));
    CHECK(inside.out == row.others);
  }
}

TEST_CASE("wrappers that have metal-unlock start each other are refused, not started for ever") {
  Sandbox sandbox;
  const std::string bin = sandbox.home().parent_path() / "bin";
  sandbox.write_program("bin/one", "#!/bin/sh\nexec metal-unlock run -- two \"$@\"\n");
  sandbox.write_program("bin/two", "#!/bin/sh\nexec metal-unlock run -- one \"$@\"\n");
  sandbox.write_program("bin/zero", "#!/bin/sh\nexec metal-unlock run -- \"$0\" \"$@\"\n");
  sandbox.write_program("bin/fine",
                        "#!/bin/sh\nexec metal-unlock run -- \"" + metal_caps_program() + "\" \"$@\"\n");
  // A wrapper of metal-unlock itself, with options of its user's.
  sandbox.write_program("bin/metal-unlock", "#!/bin/sh\nexec '" + metal_unlock_program() + "' \"$@\"\n");
  sandbox.set("PATH", bin + ":/usr/bin:/bin");
  for (const char* word : {"one", "two", "zero"})
    for (const Words& words : {Words{bin + "/metal-unlock", "run", "--", word}, Words{bin + "/" + word}}) {
      ProcessCommand command = sandbox.command(words);
      command.limit = std::chrono::seconds{20};
      const Outcome outcome = run_process(command);
      CAPTURE(words, outcome.err);
      CHECK_FALSE(outcome.timed_out);
      CHECK(outcome.exit_status == 125);
      CHECK(finding_ids(outcome.err) == Words{"self-loop"});
    }
  CHECK(highest_family(sandbox.execute({bin + "/fine", "--json"})) == unlocked_family);
  CHECK(highest_family(sandbox.execute({bin + "/metal-unlock", "run", "--", "metal-unlock", "run", "--",
                                        metal_caps_program(), "--json"})) == unlocked_family);
}

TEST_CASE("entries of PATH that are no folders are passed over, as execvp does it") {
  Sandbox sandbox;
  make_traps(sandbox);
  const std::string work = sandbox.work();
  const std::string bin = sandbox.write_program("bin/tool", "#!/bin/sh\necho found\n").parent_path();
  for (const std::string& entry : {work + "/huge", work + "/pipe", work + "/loop", work + "/dangling",
                                   work + "/to-device", std::string{"/dev/null"}, std::string(5000, 'x'),
                                   std::string{"relative"}, std::string{"\xff\n"}, std::string{}}) {
    CAPTURE(entry);
    sandbox.set("PATH", entry + ":" + bin + ":/usr/bin:/bin");
    CHECK(sandbox.metal_unlock({"run", "--", "tool"}).out == "found\n");
    CHECK(sandbox.metal_unlock({"run", "--", "no-such-tool"}).exit_status == 127);
  }
  // Without PATH the system's own folders are searched, as execvp does.
  sandbox.set("PATH", std::nullopt);
  CHECK(sandbox.metal_unlock({"run", "--", "true"}).exit_status == 0);
  CHECK(sandbox.metal_unlock({"run", "--", "tool"}).exit_status == 127);
}

TEST_CASE("any path may hold any character, with locale C as well") {
  for (const std::string name :
       {"with space", "it's", "say \"it\"", "new\nline", "co:lon", "\xff\xfe", "-dash", "*?[a]", "$(touch x)",
        "a;b&c|d", "100%41", "tab\there", "back\\slash", "\xc3\xbc\xe2\x82\xac", "#hash", "~", "%s%n"}) {
    CAPTURE(name);
    Sandbox sandbox;
    const auto root = sandbox.work() / name;
    std::filesystem::create_directories(root / "work");
    std::filesystem::create_directories(root / "config");
    write_file(root / "mine.toml", apple6_profile);
    std::filesystem::create_symlink(metal_caps_program(), root / name);
    sandbox.set("HOME", root.string());
    sandbox.set("XDG_CONFIG_HOME", (root / "config").string());
    sandbox.set("TMPDIR", root.string());
    ProcessCommand command =
        sandbox.command(run_words({"../" + name, "--json"}, {"--require", "--profile", "../mine.toml",
                                                             "--report", "../" + name + ".jsonl"}));
    command.directory = root / "work";
    const Outcome outcome = run_process(command);
    CAPTURE(outcome.err);
    CHECK(highest_family(outcome) == 1006);
    CHECK(outcome.err.empty());
    const std::string report = read_file(root / (name + ".jsonl"));
    CHECK(holds(report, "\"effective\""));
    for (std::size_t at = 0; at < report.size(); at = report.find('\n', at) + 1)
      CHECK_NOTHROW(json::parse(report.substr(at, report.find('\n', at) - at)));
  }
}
