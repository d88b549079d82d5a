// SPDX-License-Identifier: MIT
#include "cli/core/shell_alias.hpp"
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

/// A program that prints each of its words in brackets, and what Metal told it.
constexpr const char* tool_text = "#!/bin/bash\nprintf '[%s]' \"$@\"\necho \" preload=${LD_PRELOAD:+yes}\"\n";

struct Interactive {
  std::string name;
  Words argv;  ///< what follows is a script; aliases are expanded in it
};

std::vector<Interactive> interactive_shells() {
  return {{"bash", {"bash", "-O", "expand_aliases", "-c"}},
          {"zsh", {"zsh", "-f", "-o", "aliases", "-c"}},
          {"fish", {"fish", "--no-config", "-c"}},
          {"sh", {"dash", "-c"}}};
}

/// A sandbox in which `metal-unlock` and the programs of a test are on PATH.
struct Prepared : Sandbox {
  explicit Prepared(std::string_view guest = "tahoe-26-m1-ultra") : Sandbox(guest) {
    const auto bin = work().parent_path() / "bin";
    write_program("bin/mytool", tool_text);
    std::filesystem::create_symlink(metal_unlock_program(), bin / "metal-unlock");
    set("PATH", bin.string() + ":/usr/bin:/bin");
  }
};

/// What `typed` prints after the shell has read what `metal-unlock alias PROGRAMS…` printed.
Outcome typed(const Sandbox& sandbox, const Interactive& shell, const Words& programs,
              const std::string& line) {
  Words words{"alias", "--shell", shell.name};
  words.insert(words.end(), programs.begin(), programs.end());
  const Outcome printed = sandbox.metal_unlock(words);
  CAPTURE(printed.out, printed.err);
  REQUIRE(printed.exit_status == 0);
  Words argv = shell.argv;
  // A line is read whole before an alias in it counts, so the two are read one after the other.
  sandbox.write("work/aliases", printed.out);
  sandbox.write("work/line", line + "\n");
  argv.push_back(". ./aliases\n. ./line");
  return sandbox.execute(argv);
}

}  // namespace

TEST_CASE(
    "an alias starts the program unlocked in a guest, and as it is on a host, with its words unchanged") {
  for (const Interactive& shell : interactive_shells()) {
    CAPTURE(shell.name);
    const std::string line = "mytool 'a b' '' '*' '$x' -v --";
    const std::string words = "[a b][][*][$x][-v][--]";
    const Prepared guest;
    const Outcome in_guest = typed(guest, shell, {"mytool"}, line);
    CAPTURE(in_guest.err);
    CHECK(in_guest.out.find(words) == 0);
    const Prepared host("bare-metal-m5");
    const Outcome on_host = typed(host, shell, {"mytool"}, line);
    CHECK(on_host.out == words + " preload=\n");
    CHECK(on_host.err.empty());
  }
}

TEST_CASE("what an alias starts is unlocked") {
  for (const Interactive& shell : interactive_shells()) {
    CAPTURE(shell.name);
    Prepared sandbox;
    const auto bin = sandbox.work().parent_path() / "bin";
    std::filesystem::create_symlink(metal_caps_program(), bin / "caps");
    const Outcome stock = sandbox.execute({(bin / "caps").string(), "--json"});
    const Outcome outcome = typed(sandbox, shell, {"caps"}, "caps --json");
    CAPTURE(outcome.out, outcome.err);
    CHECK(apple_families(json::parse(stock.out)).back() == 1005);
    CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
  }
}

TEST_CASE("a name that is no plain word becomes a function after its file") {
  for (const Interactive& shell : interactive_shells()) {
    for (const std::string name : {"my tool", "it's", "a\"b", "$HOME", "back\\slash", "a;b", "two\nlines"}) {
      CAPTURE(shell.name, name);
      const Prepared sandbox;
      const std::string path = sandbox.write_program("work/" + name, tool_text);
      const Outcome outcome = typed(sandbox, shell, {path}, alias_name(path) + " 'a b' c");
      CAPTURE(outcome.err);
      CHECK(outcome.out.find("[a b][c]") == 0);
    }
  }
}

TEST_CASE("a path is found from any folder, and options go along") {
  const Prepared sandbox;
  sandbox.write_program("work/sub/tool", tool_text);
  CHECK(sandbox.metal_unlock({"alias", "--shell", "bash", "sub/tool"}).out ==
        "alias tool='metal-unlock run -- " + (sandbox.work() / "sub/tool").string() + "'\n");
  CHECK(sandbox
            .metal_unlock({"alias", "--shell", "zsh", "--children", "--require", "--profile", "m1", "ollama"})
            .out == "alias ollama='metal-unlock run --profile m1 --require --children -- ollama'\n");
  CHECK(sandbox.metal_unlock({"alias", "--shell", "fish", "a", "b"}).out ==
        "function a; metal-unlock run -- a $argv; end\nfunction b; metal-unlock run -- b $argv; end\n");
}

TEST_CASE("the shell is the user's, or the one that is named") {
  Prepared sandbox;
  sandbox.set("SHELL", "/usr/bin/fish");
  CHECK(sandbox.metal_unlock({"alias", "x"}).out.starts_with("function x;"));
  CHECK(sandbox.metal_unlock({"alias", "--shell", "bash", "x"}).out.starts_with("alias x="));
  sandbox.set("SHELL", "/bin/zsh");
  CHECK(sandbox.metal_unlock({"alias", "x"}).out.starts_with("alias x="));
  sandbox.set("SHELL", std::nullopt);
  CHECK(sandbox.metal_unlock({"alias", "x"}).out.starts_with("alias x="));
  sandbox.set("SHELL", "/usr/bin/nu");
  const Outcome unknown = sandbox.metal_unlock({"alias", "x"});
  CHECK(unknown.exit_status == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err.find("'/usr/bin/nu' of $SHELL") != std::string::npos);
  CHECK(sandbox.metal_unlock({"alias", "--shell", "tcsh", "x"}).exit_status == 2);
}

TEST_CASE("an alias that would break a shell, or stand for itself, is refused as a whole") {
  const Prepared sandbox;
  for (const Words& programs :
       {Words{"if"}, Words{"a", "metal-unlock"}, Words{""}, Words{"a", "/x/a"}, Words{}}) {
    Words words{"alias", "--shell", "bash"};
    words.insert(words.end(), programs.begin(), programs.end());
    const Outcome outcome = sandbox.metal_unlock(words);
    CHECK(outcome.exit_status == 2);
    CHECK(outcome.out.empty());
    CHECK(finding_ids(outcome.err) == Words{"usage"});
  }
}

TEST_CASE("where PATH does not have this program, the alias names its file") {
  Prepared sandbox;
  sandbox.set("PATH", "/usr/bin:/bin");
  CHECK(sandbox.metal_unlock({"alias", "--shell", "sh", "x"}).out ==
        "alias x='" + metal_unlock_program() + " run -- x'\n");
}
