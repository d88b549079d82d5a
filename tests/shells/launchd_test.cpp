// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <unistd.h>

using namespace metal_unlock;

namespace {

/// A launchctl that knows which services it has, notes each call, and is as unwilling as the file `mood`
/// says.
constexpr const char* launchctl_text = R"SH(#!/bin/sh
state=../launchd
mkdir -p "$state"
echo "$*" >> "$state/calls"
mood=$(cat "$state/mood" 2>/dev/null)
case $1 in
  print)
    name=$state/${2##*/}
    [ -e "$name" ] || { echo "Could not find service" >&2; exit 113; }
    printf '%s = {\n\tactive count = 1\n\tpath = %s\n\tstate = running\n\n\tpid = 77\n\tlast exit code = 3\n' "$2" "$(cat "$name")"
    printf '\tspawn type = daemon\n\tendpoints = {\n\t\tstate = deep\n\t}\n}\n'
    # One that goes by and by is still there when it is asked for the first time.
    if [ -e "$name.going" ]; then rm "$name" "$name.going"; fi
    ;;
  bootout)
    name=$state/${2##*/}
    [ "$mood" != stubborn ] || { echo "Operation not permitted" >&2; exit 1; }
    touch "$name.going"
    exit 36
    ;;
  bootstrap)
    [ "$mood" != refuses ] || { echo "Bootstrap failed: 125: Domain does not support specified action" >&2; exit 125; }
    label=$(basename "$3" .plist)
    [ ! -e "$state/$label" ] || { echo "Bootstrap failed: 5: Input/output error" >&2; exit 5; }
    echo "$3" > "$state/$label"
    ;;
esac
)SH";

struct Mac {
  Mac() {
    const auto bin = sandbox.work().parent_path() / "bin";
    sandbox.write_program("bin/launchctl", launchctl_text);
    sandbox.write_program("bin/sleep", "#!/bin/sh\n");
    sandbox.write_program("bin/server", "#!/bin/sh\nprintf '[%s]' \"$@\"\n");
    std::filesystem::create_symlink(metal_unlock_program(), bin / "metal-unlock");
    sandbox.set("PATH", bin.string() + ":/usr/bin:/bin");
  }

  std::filesystem::path root() const { return sandbox.work().parent_path(); }
  std::filesystem::path agent(const std::string& label) const {
    return sandbox.home() / "Library/LaunchAgents" / (label + ".plist");
  }
  std::string calls() const {
    const auto file = root() / "launchd/calls";
    const std::string text = std::filesystem::exists(file) ? read_file(file) : "";
    std::filesystem::remove(file);
    return text;
  }
  Outcome launchd(Words words) const {
    words.insert(words.begin(), "launchd");
    return sandbox.metal_unlock(std::move(words));
  }

  Sandbox sandbox;
};

std::string xpath(const Sandbox& sandbox, const std::string& expression) {
  const Outcome read = sandbox.execute({"xmllint", "--nonet", "--xpath", expression, "read.plist"});
  CAPTURE(expression, read.err);
  REQUIRE(read.exit_status == 0);
  return read.out.substr(0, read.out.size() - 1);
}

json element_at(const Sandbox& sandbox, const std::string& path) {
  const std::string kind = xpath(sandbox, "local-name(" + path + ")");
  if (kind == "true" || kind == "false") return kind == "true";
  if (kind == "string") return xpath(sandbox, "string(" + path + ")");
  const int count = std::stoi(xpath(sandbox, "count(" + path + "/*)"));
  const auto child = [&](int i) { return path + "/*[" + std::to_string(i) + "]"; };
  json whole = kind == "array" ? json::array() : json::object();
  for (int i = 1; kind == "array" && i <= count; ++i) whole.push_back(element_at(sandbox, child(i)));
  for (int i = 1; kind == "dict" && i < count; i += 2)
    whole[xpath(sandbox, "string(" + child(i) + ")")] = element_at(sandbox, child(i + 1));
  return whole;
}

/// A property list as two independent programs read it: libplist's, and of what that makes of it, libxml's.
json read_plist(const Sandbox& sandbox, const std::string& text) {
  const auto file = sandbox.write("work/agent.plist", text);
  for (const Words& words :
       {Words{"xmllint", "--noout", "--nonet", file}, Words{"plistutil", "-i", file, "-o", "binary.plist"},
        Words{"plistutil", "-i", "binary.plist", "-o", "read.plist"}}) {
    const Outcome outcome = sandbox.execute(words);
    CAPTURE(text, words, outcome.err);
    REQUIRE(outcome.exit_status == 0);
  }
  return element_at(sandbox, "/plist/*");
}

std::string user_domain() { return "gui/" + std::to_string(getuid()); }

}  // namespace

TEST_CASE("an agent's property list is valid and says word for word what is to be started") {
  Mac mac;
  mac.sandbox.set("METAL_UNLOCK_PROFILE", "m1-ultra");
  const Words words{"a b", "", "<&>\"'", "--", "-v", "§ ü", "x\ny", "tab\t", "]]>"};
  Words command{"env", "--launchd", "--label", "my.label", "--require", "--keep-alive", "--", "server"};
  command.insert(command.end(), words.begin(), words.end());
  const Outcome printed = mac.sandbox.metal_unlock(command);
  CAPTURE(printed.err);
  REQUIRE(printed.exit_status == 0);
  CHECK(printed.err.empty());
  const json plist = read_plist(mac.sandbox, printed.out);
  Words argv{(mac.root() / "bin/metal-unlock").string(), "run", "--require", "--",
             (mac.root() / "bin/server").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  CHECK(plist.at("ProgramArguments").get<Words>() == argv);
  CHECK(plist.at("Label") == "my.label");
  CHECK(plist.at("RunAtLoad") == true);
  CHECK(plist.at("KeepAlive").at("SuccessfulExit") == false);
  CHECK(plist.at("WorkingDirectory") == mac.sandbox.work().string());
  CHECK(plist.at("StandardOutPath") == (mac.sandbox.home() / "Library/Logs/my.label.log").string());
  CHECK(plist.at("StandardErrorPath") == plist.at("StandardOutPath"));
  CHECK(plist.at("EnvironmentVariables").at("METAL_UNLOCK_PROFILE") == "m1-ultra");
  CHECK(plist.at("EnvironmentVariables").at("PATH").get<std::string>().ends_with("/bin:/usr/bin:/bin"));
  CHECK_FALSE(plist.at("EnvironmentVariables").contains("LD_PRELOAD"));
}

TEST_CASE("what launchd would start is what the command line would") {
  const Mac mac;
  const json plist =
      read_plist(mac.sandbox, mac.sandbox.metal_unlock({"env", "--launchd", "--", "server", "a b", "c"}).out);
  CHECK(plist.at("Label") == "local.metal-unlock.server");
  CHECK_FALSE(plist.contains("KeepAlive"));
  CHECK(mac.sandbox.execute(plist.at("ProgramArguments").get<Words>()).out == "[a b][c]");
}

TEST_CASE("an agent is not made of what is no text, or is not there") {
  const Mac mac;
  for (const std::string word : {"\x01", "\xff", "\xed\xa0\x80", "a\x1b[0m"}) {
    const Outcome refused = mac.sandbox.metal_unlock({"env", "--launchd", "--", "server", word});
    CHECK(refused.exit_status == 1);
    CHECK(refused.out.empty());
    CHECK(finding_ids(refused.err) == Words{"agent-refused"});
  }
  CHECK(finding_ids(mac.sandbox.metal_unlock({"env", "--launchd", "--", "no-such"}).err) ==
        Words{"not-found"});
  for (const Words& words :
       {Words{"env", "--launchd"}, Words{"env", "--launchd", "--json", "x"},
        Words{"env", "--label", "x", "y"}, Words{"env", "--launchd", "--label", "../x", "y"},
        Words{"launchd"}, Words{"launchd", "install"}, Words{"launchd", "install", "x"},
        Words{"launchd", "install", "a/b", "--", "x"}, Words{"launchd", "status", "x", "y"},
        Words{"launchd", "instal", "x"}}) {
    const Outcome outcome = mac.sandbox.metal_unlock(words);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 2);
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("an agent is installed, shown, replaced and removed") {
  const Mac mac;
  const std::string target = user_domain() + "/my.label";
  const std::string file = mac.agent("my.label");
  const Outcome installed = mac.launchd({"install", "my.label", "--", "server", "a"});
  CAPTURE(installed.err);
  CHECK(installed.exit_status == 0);
  CHECK(mac.calls() == "print " + target + "\nbootstrap " + user_domain() + " " + file + "\n");
  CHECK(read_plist(mac.sandbox, read_file(file)).at("ProgramArguments").back() == "a");

  const Outcome shown = mac.launchd({"status", "my.label"});
  CHECK(shown.exit_status == 0);
  CHECK(shown.out.find("state      running\n") != std::string::npos);
  const json status = json::parse(mac.launchd({"status", "--json", "my.label"}).out);
  CHECK(status.at("loaded") == true);
  CHECK(status.at("written_by_us") == true);
  CHECK(status.at("pid") == "77");
  CHECK(status.at("last_exit") == "3");
  CHECK(status.at("loaded_from") == file);
  mac.calls();

  // launchd takes the new file only after it has let the service go.
  CHECK(mac.launchd({"install", "my.label", "--", "server", "b"}).exit_status == 0);
  CHECK(mac.calls() == "print " + target + "\nbootout " + target + "\nprint " + target + "\nprint " + target +
                           "\nbootstrap " + user_domain() + " " + file + "\n");
  CHECK(read_plist(mac.sandbox, read_file(file)).at("ProgramArguments").back() == "b");

  CHECK(mac.launchd({"remove", "my.label"}).exit_status == 0);
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(mac.launchd({"status", "my.label"}).exit_status == 1);
  CHECK(json::parse(mac.launchd({"status", "--json", "my.label"}).out).at("loaded") == false);
  CHECK(mac.launchd({"remove", "my.label"}).exit_status == 0);
}

TEST_CASE("a file or a service that is somebody else's stays as it is") {
  const Mac mac;
  const std::string theirs = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>\n";
  mac.sandbox.write("home/Library/LaunchAgents/theirs.plist", theirs);
  for (const Words& words : {Words{"install", "theirs", "--", "server"}, Words{"remove", "theirs"}}) {
    const Outcome outcome = mac.launchd(words);
    CHECK(outcome.exit_status == 1);
    CHECK(finding_ids(outcome.err) == Words{"agent-refused"});
    CHECK(read_file(mac.agent("theirs")) == theirs);
    CHECK(mac.calls().find("boot") == std::string::npos);
  }
  mac.sandbox.write("launchd/homebrew.ollama", "/opt/homebrew/ollama.plist\n");
  for (const Words& words :
       {Words{"install", "homebrew.ollama", "--", "server"}, Words{"remove", "homebrew.ollama"}}) {
    const Outcome outcome = mac.launchd(words);
    CHECK(outcome.exit_status == 1);
    CHECK(finding_ids(outcome.err) == Words{"agent-refused"});
    CHECK(mac.calls().find("boot") == std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(mac.agent("homebrew.ollama")));
}

TEST_CASE("what launchd refuses is said with its own words") {
  Mac mac;
  mac.sandbox.write("launchd/mood", "refuses");
  const Outcome refused = mac.launchd({"install", "my.label", "--", "server"});
  CHECK(refused.exit_status == 1);
  CHECK(finding_ids(refused.err) == Words{"launchd-failed"});
  CHECK(refused.err.find("Domain does not support specified action") != std::string::npos);
  mac.sandbox.write("launchd/mood", "");
  CHECK(mac.launchd({"install", "my.label", "--", "server"}).exit_status == 0);
  mac.sandbox.write("launchd/mood", "stubborn");
  const Outcome kept = mac.launchd({"remove", "my.label"});
  CHECK(finding_ids(kept.err) == Words{"launchd-failed"});
  CHECK(std::filesystem::exists(mac.agent("my.label")));
  mac.sandbox.set("PATH", "/usr/bin:/bin");
  for (const Words& words :
       {Words{"install", "x", "--", "true"}, Words{"status", "x"}, Words{"remove", "x"}}) {
    const Outcome absent = mac.launchd(words);
    CHECK(absent.exit_status == 1);
    CHECK(finding_ids(absent.err) == Words{"launchd-failed"});
  }
}
