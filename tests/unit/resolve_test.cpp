// SPDX-License-Identifier: MIT
#include "cli/core/target.hpp"
#include "cli/core/target/script.hpp"
#include "tests/catch.hpp"
#include "tests/unit/recorded_files.hpp"

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

RecordedFiles usual_files() {
  RecordedFiles files;
  files.program("/usr/bin/env").program("/bin/sh").program("/bin/bash").program("/usr/bin/nohup");
  files.program("/opt/bin/python3").program("/opt/bin/tool").program("/opt/bin/node");
  return files;
}

const Environment usual_environment{Words{"PATH=/opt/bin:/usr/bin:/bin", "HOME=/home/me"}};

Target resolved(const Words& command, const RecordedFiles& files,
                const Environment& environment = usual_environment) {
  const auto target = resolve_target(command, environment, files);
  if (!target) FAIL(target.finding().sentence);
  return *target;
}

std::string failure(const Words& command, const RecordedFiles& files) {
  const auto target = resolve_target(command, usual_environment, files);
  REQUIRE_FALSE(target);
  return std::string{catalogue_row(target.finding().id).name};
}

}  // namespace

TEST_CASE("a program is executed as it was typed") {
  const Target target = resolved({"tool", "-x", ""}, usual_files());
  CHECK(target.typed_file == "/opt/bin/tool");
  CHECK(target.file == "/opt/bin/tool");
  CHECK(target.program == "/opt/bin/tool");
  CHECK(target.argv == Words{"tool", "-x", ""});
  CHECK(target.chain.empty());
  CHECK(target.change.empty());
  CHECK_FALSE(target.wrapper);
}

TEST_CASE("T8: what a command leads to") {
  struct Row {
    const char* name;
    const char* first_lines;  ///< of /w/script
    const char* program;
    const char* file;
    Words argv;
  };
  const Row rows[] = {
      // The system follows these, and the shim goes along.
      {"plain", "#!/opt/bin/python3\n", "/opt/bin/python3", "/w/script", {"/w/script", "a b"}},
      {"blanks", "#! \t/opt/bin/python3 \t\n", "/opt/bin/python3", "/w/script", {"/w/script", "a b"}},
      {"arguments", "#!/opt/bin/python3 -u -B\n", "/opt/bin/python3", "/w/script", {"/w/script", "a b"}},
      {"comment", "#!/opt/bin/python3 # ours\n", "/opt/bin/python3", "/w/script", {"/w/script", "a b"}},
      {"no newline", "#!/opt/bin/python3", "/opt/bin/python3", "/w/script", {"/w/script", "a b"}},
      {"shell", "#!/bin/sh\necho\n", "/bin/sh", "/w/script", {"/w/script", "a b"}},
      {"none", "echo hello\n", "/bin/sh", "/w/script", {"/w/script", "a b"}},
      {"only #!", "#!\necho hello\n", "/bin/sh", "/w/script", {"/w/script", "a b"}},
      // env loses it, so its work is done here.
      {"env",
       "#!/usr/bin/env python3\n",
       "/opt/bin/python3",
       "/opt/bin/python3",
       {"python3", "/w/script", "a b"}},
      {"env, words",
       "#!/usr/bin/env node --trace x\n",
       "/opt/bin/node",
       "/opt/bin/node",
       {"node", "--trace", "x", "/w/script", "a b"}},
      {"env -S",
       "#!/usr/bin/env -S python3 -u '-X dev'\n",
       "/opt/bin/python3",
       "/opt/bin/python3",
       {"python3", "-u", "'-X", "dev'", "/w/script", "a b"}},
      {"env VAR",
       "#!/usr/bin/env A=1 python3\n",
       "/opt/bin/python3",
       "/opt/bin/python3",
       {"python3", "/w/script", "a b"}},
      // Scripts that only start a program.
      {"exec",
       "#!/bin/bash\n# by a package manager\nA=\"x y\" exec \"/opt/bin/tool\" -q \"$@\"\n",
       "/opt/bin/tool",
       "/opt/bin/tool",
       {"/opt/bin/tool", "-q", "a b"}},
      {"pip",
       "#!/bin/sh\n'''exec' \"/opt/bin/python3\" \"$0\" \"$@\"\n' '''\nimport sys\n",
       "/opt/bin/python3",
       "/opt/bin/python3",
       {"/opt/bin/python3", "/w/script", "a b"}},
      // And one that does more.
      {"two commands",
       "#!/bin/sh\ncd /tmp\nexec /opt/bin/tool \"$@\"\n",
       "/bin/sh",
       "/w/script",
       {"/w/script", "a b"}},
      {"a variable", "#!/bin/sh\nexec \"$HOME/tool\" \"$@\"\n", "/bin/sh", "/w/script", {"/w/script", "a b"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    RecordedFiles files = usual_files();
    files.script("/w/script", row.first_lines);
    const Target target = resolved({"/w/script", "a b"}, files);
    CHECK(target.typed_file == "/w/script");
    CHECK(target.program == row.program);
    CHECK(target.file == row.file);
    CHECK(target.argv == row.argv);
    CHECK_FALSE(target.chain.empty());
  }
}

TEST_CASE("env on the command line is passed over, with what it does to the environment") {
  const RecordedFiles files = usual_files();
  const Target target = resolved({"env", "-u", "HOME", "A=1", "PATH=/bin:/opt/bin", "tool", "-x"}, files);
  CHECK(target.typed_file == "/usr/bin/env");
  CHECK(target.file == "/opt/bin/tool");
  CHECK(target.argv == Words{"tool", "-x"});
  CHECK(target.change.unset == Words{"HOME"});
  const Environment changed = usual_environment.with(target.change);
  CHECK(changed.get("A") == "1");
  CHECK(changed.get("PATH") == "/bin:/opt/bin");
  CHECK_FALSE(changed.get("HOME"));
  // The new PATH is the one that is searched.
  CHECK(failure({"env", "PATH=/bin", "tool"}, files) == "interpreter-missing");
  // Twice, and nothing left of the environment.
  const Target clean =
      resolved({"/usr/bin/env", "-i", "PATH=/opt/bin:/usr/bin", "env", "B=2", "tool"}, files);
  CHECK(clean.argv == Words{"tool"});
  const Environment cleaned = usual_environment.with(clean.change);
  REQUIRE(cleaned.entries().size() == 2);
  CHECK(cleaned.get("B") == "2");
  // Without a command it prints, and is the target itself.
  const Target printing = resolved({"env", "-0"}, files);
  CHECK(printing.file == "/usr/bin/env");
  CHECK(printing.argv == Words{"env", "-0"});
  // An option that is not known here is left to env.
  const Target unknown = resolved({"env", "-C", "/tmp", "tool"}, files);
  CHECK(unknown.file == "/usr/bin/env");
  REQUIRE(unknown.wrapper);
  CHECK(unknown.wrapper->name == "env");
}

TEST_CASE("what a script or env names and is not there is told by what names it") {
  RecordedFiles files = usual_files();
  files.script("/w/absent", "#!/no/such/python\n")
      .script("/w/returns", "#!/bin/sh\r\necho\r\n")
      .script("/w/env", "#!/usr/bin/env pythom3\n")
      .script("/w/relative", "#!bin/own\n")
      .script("/w/relative-word", "#!own\n")
      .script("/w/fine", "#!/bin/sh\n");
  CHECK(failure({"/w/absent"}, files) == "interpreter-missing");
  CHECK(failure({"/w/env"}, files) == "interpreter-missing");
  CHECK(failure({"/w/relative"}, files) == "interpreter-missing");
  CHECK(failure({"/w/relative-word"}, files) == "interpreter-missing");
  CHECK(failure({"/w/none"}, files) == "not-found");
  const auto returns = resolve_target({"/w/returns"}, usual_environment, files);
  REQUIRE_FALSE(returns);
  CHECK(returns.finding().next.find("carriage return") != std::string::npos);
  CHECK(resolved({"/w/fine"}, files).program == "/bin/sh");
  files.program("bin/own").program("./own");
  CHECK(resolved({"/w/relative"}, files).program == "bin/own");
  CHECK(resolved({"/w/relative-word"}, files).program == "./own");
}

TEST_CASE("the kernel reads 512 bytes of a first line") {
  RecordedFiles files = usual_files();
  const std::string start = "#!/opt/bin/python3 ";
  files.script("/w/fits", start + std::string(512 - start.size() - 1, 'x') + "\n");
  files.script("/w/long", start + std::string(512 - start.size(), 'x') + "\n");
  CHECK(resolved({"/w/fits"}, files).program == "/opt/bin/python3");
  CHECK(resolved({"/w/long"}, files).program == "/bin/sh");
}

TEST_CASE("scripts whose interpreters lead back to them are a mistake") {
  RecordedFiles files = usual_files();
  files.script("/w/a", "#!/w/b\n").script("/w/b", "#!/w/a\n").script("/w/self", "#!/w/self\n");
  files.script("/w/c", "#!/w/d\n").script("/w/d", "#!/opt/bin/python3\n");
  CHECK(failure({"/w/a"}, files) == "script-cycle");
  CHECK(failure({"/w/self"}, files) == "script-cycle");
  CHECK(resolved({"/w/c"}, files).program == "/opt/bin/python3");
  // So is a chain without an end.
  files.script("/opt/bin/again", "#!/usr/bin/env again\n");
  CHECK(failure({"again"}, files) == "script-cycle");
}

TEST_CASE("a wrapper that calls metal-unlock with itself is a mistake") {
  RecordedFiles files = usual_files();
  files.script("/opt/bin/llama-server",
               "#!/bin/sh\nexec metal-unlock run --require -- llama-server \"$@\"\n");
  files.script("/opt/bin/by-path", "#!/bin/sh\nexec /usr/local/bin/metal-unlock run /opt/bin/tool \"$@\"\n");
  files.script("/opt/bin/comment", "#!/bin/sh\n# metal-unlock run -- comment\necho\n");
  files.script("/opt/bin/variable", "#!/bin/sh\nmetal-unlock run -- \"$1\"\n");
  CHECK(failure({"llama-server"}, files) == "self-loop");
  CHECK(failure({"/opt/bin/llama-server"}, files) == "self-loop");
  files.program("/usr/local/bin/metal-unlock");
  CHECK(resolved({"by-path"}, files).program == "/usr/local/bin/metal-unlock");
  CHECK(resolved({"comment"}, files).program == "/bin/sh");
  CHECK(resolved({"variable"}, files).program == "/bin/sh");
}

TEST_CASE("a framework's python is the program inside of it, and a venv stays recognised") {
  RecordedFiles files = usual_files();
  const std::string version =
      "/opt/homebrew/Cellar/python@3.12/3.12.4/Frameworks/Python.framework/Versions/3.12";
  const std::string inner = version + "/Resources/Python.app/Contents/MacOS/Python";
  files.program(version + "/bin/python3.12").program(inner);
  files.link("/opt/homebrew/bin/python3", version + "/bin/python3.12");
  files.link("/w/venv/bin/python", version + "/bin/python3.12");
  files.script("/w/venv/bin/mlx", "#!/w/venv/bin/python\n");
  files.link("/home/venv", "/w/venv");

  const Target direct = resolved({"/opt/homebrew/bin/python3", "app.py"}, files);
  CHECK(direct.typed_file == "/opt/homebrew/bin/python3");
  CHECK(direct.file == inner);
  CHECK(direct.argv == Words{inner, "app.py"});
  CHECK(direct.change.set.at(0) ==
        std::pair<std::string, std::string>{"__PYVENV_LAUNCHER__", "/opt/homebrew/bin/python3"});

  const Target venv = resolved({"/home/venv/bin/python"}, files);
  CHECK(venv.change.set.at(0).second == "/w/venv/bin/python");

  const Target script = resolved({"/w/venv/bin/mlx", "-v"}, files);
  CHECK(script.file == inner);
  CHECK(script.argv == Words{inner, "/w/venv/bin/mlx", "-v"});
  CHECK(script.chain.size() == 2);

  // Without the inner program, as in a Python that is no framework, the file is what it is.
  files.program("/opt/conda/bin/python3");
  CHECK(resolved({"/opt/conda/bin/python3"}, files).file == "/opt/conda/bin/python3");
}

TEST_CASE("wrappers that have metal-unlock start each other are a loop, however many they are") {
  RecordedFiles files = usual_files();
  files.script("/opt/bin/one", "#!/bin/sh\nexec metal-unlock run -- two \"$@\"\n");
  files.script("/opt/bin/two", "#!/bin/sh\nexec metal-unlock run -- three \"$@\"\n");
  files.script("/opt/bin/three", "#!/bin/sh\nexec metal-unlock run -- one \"$@\"\n");
  files.script("/opt/bin/itself", "#!/bin/sh\nexec metal-unlock run -- \"$0\" \"$@\"\n");
  for (const char* word : {"one", "two", "three", "itself"}) CHECK(failure({word}, files) == "self-loop");
  // A chain that ends somewhere is none.
  files.script("/opt/bin/three", "#!/bin/sh\necho \"$@\"\n");
  files.program("/opt/bin/metal-unlock");
  CHECK(resolved({"one"}, files).program == "/opt/bin/metal-unlock");
}

TEST_CASE("a script that has metal-unlock start a link to itself is a loop") {
  RecordedFiles files = usual_files();
  files.script("/opt/real", "#!/bin/sh\nexec metal-unlock run -- linked\n")
      .link("/opt/bin/linked", "/opt/real");
  CHECK(failure({"/opt/real"}, files) == "self-loop");
}

TEST_CASE("a shim of pyenv is the version that pyenv chooses") {
  const std::string shim =
      "#!/usr/bin/env bash\nset -e\nprogram=\"${0##*/}\"\nexport PYENV_ROOT=\"/home/me/.pyenv\"\n"
      "exec \"/home/me/.pyenv/libexec/pyenv\" exec \"$program\" \"$@\"\n";
  RecordedFiles files = usual_files();
  files.script("/home/me/.pyenv/shims/python3", shim);
  for (const char* version : {"3.11.4", "3.12.1"}) {
    files.folder("/home/me/.pyenv/versions/" + std::string{version});
    files.program("/home/me/.pyenv/versions/" + std::string{version} + "/bin/python3");
  }
  const auto chosen = [&](Words variables) {
    variables.emplace_back("PATH=/home/me/.pyenv/shims:/usr/bin");
    return resolved({"python3", "x.py"}, files, Environment{variables});
  };
  // Nothing chosen: pyenv itself must say.
  REQUIRE(chosen({}).wrapper);
  CHECK(chosen({}).wrapper->next == "metal-unlock run -- \"$(pyenv which python3)\"");
  CHECK(chosen({}).file == "/home/me/.pyenv/shims/python3");

  files.text("/home/me/.pyenv/version", "3.11.4\n");
  const Target target = chosen({});
  CHECK(target.file == "/home/me/.pyenv/versions/3.11.4/bin/python3");
  CHECK(target.argv == Words{"/home/me/.pyenv/versions/3.11.4/bin/python3", "x.py"});
  const Environment changed = Environment{Words{"PATH=/home/me/.pyenv/shims:/usr/bin"}}.with(target.change);
  CHECK(changed.get("PYENV_VERSION") == "3.11.4");
  CHECK(changed.get("PATH") == "/home/me/.pyenv/versions/3.11.4/bin:/home/me/.pyenv/shims:/usr/bin");

  files.text("/home/me/.python-version", "3.12\n");
  CHECK(chosen({}).file == "/home/me/.pyenv/versions/3.12.1/bin/python3");
  CHECK(chosen({"PYENV_VERSION=3.11.4"}).file == "/home/me/.pyenv/versions/3.11.4/bin/python3");
  CHECK(chosen({"PYENV_VERSION=3.9"}).wrapper);
  CHECK(chosen({"PYENV_VERSION=3"}).wrapper);
  files.folder("/home/me/.pyenv/versions/pypy3.10-7")
      .program("/home/me/.pyenv/versions/pypy3.10-7/bin/python3");
  CHECK(chosen({"PYENV_VERSION=pypy3.1"}).wrapper);
  CHECK(chosen({"PYENV_VERSION=system"}).wrapper);
  // The system's own is no version, whatever the folder of versions holds.
  files.folder("/home/me/.pyenv/versions/system").program("/home/me/.pyenv/versions/system/bin/python3");
  CHECK(chosen({"PYENV_VERSION=system"}).wrapper);
}

TEST_CASE("a placeholder of the system is the selected developer tool") {
  RecordedFiles files = usual_files();
  files.program("/usr/bin/python3").program("/usr/bin/perl");
  CHECK(resolved({"/usr/bin/python3"}, files).file == "/usr/bin/python3");
  files.program("/Library/Developer/CommandLineTools/usr/bin/python3");
  CHECK(resolved({"/usr/bin/python3"}, files).file == "/Library/Developer/CommandLineTools/usr/bin/python3");
  files.program("/X.app/Contents/Developer/usr/bin/python3");
  files.link("/var/db/xcode_select_link", "/X.app/Contents/Developer");
  CHECK(resolved({"/usr/bin/python3"}, files).file == "/X.app/Contents/Developer/usr/bin/python3");
  const Environment own{Words{"DEVELOPER_DIR=/Library/Developer/CommandLineTools"}};
  CHECK(resolved({"/usr/bin/python3"}, files, own).file ==
        "/Library/Developer/CommandLineTools/usr/bin/python3");
  CHECK(resolved({"/usr/bin/perl"}, files).file == "/usr/bin/perl");
}

TEST_CASE("an application's folder is its program") {
  RecordedFiles files = usual_files();
  files.folder("/Applications/LM Studio.app").program("/Applications/LM Studio.app/Contents/MacOS/lms");
  files.text("/Applications/LM Studio.app/Contents/Info.plist",
             "<dict>\n<key>CFBundleName</key><string>no</string>\n<key>CFBundleExecutable</"
             "key>\n\t<string>lms</string></dict>");
  const Target target = resolved({"/Applications/LM Studio.app/", "-x"}, files);
  CHECK(target.typed_file == "/Applications/LM Studio.app/Contents/MacOS/lms");
  CHECK(target.file == "/Applications/LM Studio.app/Contents/MacOS/lms");
  CHECK(target.argv == Words{"/Applications/LM Studio.app/Contents/MacOS/lms", "-x"});
  files.folder("/Applications/Draw.app").program("/Applications/Draw.app/Contents/MacOS/Draw");
  CHECK(resolved({"/Applications/Draw.app"}, files).program == "/Applications/Draw.app/Contents/MacOS/Draw");
  files.folder("/Applications/Empty.app");
  CHECK(failure({"/Applications/Empty.app"}, files) == "not-executable");
}

TEST_CASE("programs that start others say where metal-unlock belongs") {
  RecordedFiles files = usual_files();
  for (const char* name :
       {"time", "nice", "sudo", "caffeinate", "timeout", "arch", "make", "open", "xcrun", "zsh"})
    files.program("/usr/bin/" + std::string{name});
  const auto next = [&](const Words& command) {
    const Target target = resolved(command, files);
    REQUIRE(target.wrapper);
    CHECK(target.file == target.typed_file);
    return target.wrapper->next;
  };
  CHECK(next({"nohup", "tool", "-x"}) == "nohup metal-unlock run -- tool -x");
  CHECK(next({"time", "-l", "tool"}) == "time -l metal-unlock run -- tool");
  CHECK(next({"nice", "-n", "5", "tool"}) == "nice -n 5 metal-unlock run -- tool");
  CHECK(next({"sudo", "-u", "me", "-E", "tool", "a b"}) == "sudo -u me -E metal-unlock run -- tool 'a b'");
  CHECK(next({"timeout", "10", "tool"}) == "timeout 10 metal-unlock run -- tool");
  CHECK(next({"arch", "-arm64", "tool"}) == "arch -arm64 metal-unlock run -- tool");
  CHECK(next({"nohup"}) == "nohup metal-unlock run -- COMMAND");
  CHECK(next({"make", "all"}).find("recipe") != std::string::npos);
  CHECK(next({"xcrun", "tool"}) == "metal-unlock run -- \"$(xcrun -f tool)\"");
  CHECK(next({"open", "-a", "/Applications/X.app"}).find("metal-unlock run -- /Applications/X.app") !=
        std::string::npos);
  CHECK(next({"sh", "-c", "tool"}).find("metal-unlock run --") != std::string::npos);
  files.program("/home/me/bin/make");
  CHECK_FALSE(resolved({"/home/me/bin/make"}, files).wrapper);
}

TEST_CASE("a shell script says which of its lines starts the program") {
  RecordedFiles files = usual_files();
  files.script("/w/start", "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n  exec ./llama-server \"$@\"\n");
  files.script("/w/env-start", "#!/usr/bin/env bash\ncd x\nexec ./llama-server\n");
  const Target target = resolved({"/w/start"}, files);
  REQUIRE(target.wrapper);
  CHECK(target.wrapper->is_shell);
  CHECK(target.wrapper->next.find("exec ./llama-server \"$@\"") != std::string::npos);
  const Target by_env = resolved({"/w/env-start"}, files);
  CHECK(by_env.program == "/bin/bash");
  REQUIRE(by_env.wrapper);
  CHECK(by_env.wrapper->next.find("/w/env-start") != std::string::npos);
}

TEST_CASE("a script that goes on beyond what is looked at is not taken for a wrapper") {
  const std::string wrapper = "#!/bin/sh\nexec /opt/bin/tool \"$@\"\n#";
  RecordedFiles files = usual_files();
  files.script("/w/whole", wrapper + std::string(looked_at - wrapper.size() - 1, 'x'));
  files.script("/w/half", wrapper + std::string(looked_at - wrapper.size(), 'x') + "\nsomething else\n");
  CHECK(resolved({"/w/whole"}, files).program == "/opt/bin/tool");
  CHECK(resolved({"/w/half"}, files).program == "/bin/sh");
}
