// SPDX-License-Identifier: MIT

// What is printed for another program to read: a shell, launchd, a package, `compare`.

#include "cli/core/launch_agent.hpp"
#include "cli/core/measurements.hpp"
#include "cli/core/shell_alias.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/target.hpp"
#include "cli/core/written_paths.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace metal_unlock;

namespace {

std::string alias_text(ShellKind shell, const std::string& program) {
  const Result<std::string> alias = alias_for(shell, {"metal-unlock", "run"}, program);
  return alias ? *alias : alias.finding().sentence;
}

std::string own_file(const std::string& row) { return R"({"schema": 1, "rows": [)" + row + "]}"; }

const std::string own_row =
    R"({"test": "pp512", "model": "M", "model_size": 1024, "build": "b", "threads": 4, "settings": {"type_k": "f16"},)"
    R"( "unit": "tokens/s", "stock": {"samples": [1, 2]}, "unlocked": {"samples": [3]}})";

std::string own_row_with(const std::string& part, const std::string& instead) {
  std::string text = own_row;
  const std::size_t place = text.find(part);
  REQUIRE(place != std::string::npos);
  return text.replace(place, part.size(), instead);
}

std::string own_refusal(const std::string& text) {
  const Result<Measurements> measurements = read_measurements(text, "FILE", Side::stock);
  return measurements ? "was read" : measurements.finding().sentence;
}

}  // namespace

TEST_CASE("an alias starts the program under the unlock, in every shell") {
  CHECK(alias_text(ShellKind::posix, "/opt/bin/llama-cli") ==
        "alias llama-cli='metal-unlock run -- /opt/bin/llama-cli'\n");
  CHECK(alias_text(ShellKind::posix, "ollama") == "alias ollama='metal-unlock run -- ollama'\n");
  CHECK(alias_text(ShellKind::posix, "/my tools/it's") ==
        "it_s() { metal-unlock run -- '/my tools/it'\\''s' \"$@\"; }\n");
  CHECK(alias_text(ShellKind::fish, "ollama") == "function ollama; metal-unlock run -- ollama $argv; end\n");
  CHECK(alias_text(ShellKind::fish, "/my tools/it's\\") ==
        "function it_s_ --wraps '/my tools/it\\'s\\\\'; metal-unlock run -- '/my tools/it\\'s\\\\' $argv; "
        "end\n");
}

TEST_CASE("a name that would harm a shell is no alias") {
  for (const ShellKind shell : {ShellKind::posix, ShellKind::fish}) {
    CHECK(alias_text(shell, "/usr/local/bin/metal-unlock") ==
          "there can be no alias for '/usr/local/bin/metal-unlock': it would start itself");
    CHECK(alias_text(shell, "/bin/") == "there can be no alias for '/bin/': it names no file");
    for (const char* word : {"if", "cd", "export"})
      CHECK(alias_text(shell, word).ends_with("the shell keeps this word for itself"));
  }
}

TEST_CASE("an alias has a name that can be typed") {
  CHECK(alias_name("/opt/bin/python3.12") == "python3.12");
  CHECK(alias_name("c++") == "c++");
  CHECK(alias_name("/x/-odd") == "_odd");
  CHECK(alias_name("7 zip") == "_7_zip");
  CHECK(alias_name("7zip") == "7zip");
}

TEST_CASE("a word is quoted where a shell would read more into it") {
  CHECK(shell_word("/opt/a_b-c.d:e=f,g+h@i%j") == "/opt/a_b-c.d:e=f,g+h@i%j");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  for (const char* word : {"$HOME", "`x`", "a;b", "~", "*", "a\nb", "\"", "\\", "!"})
    CHECK(shell_word(word) == std::string("'") + word + "'");
  CHECK(fish_quoted("it's \\ $HOME") == "'it\\'s \\\\ $HOME'");
}

TEST_CASE("every file that may be written is listed, below the folders of this machine") {
  const auto nowhere = written_paths({});
  CHECK(nowhere.size() == 6);
  for (const WrittenPath& path : nowhere) CHECK(path.is_named);
  const auto paths = written_paths({.cache = "/c/metal-unlock",
                                    .shim_name = "libmetal-unlock.dylib",
                                    .home = "/h",
                                    .prefix = "/usr/local"});
  CHECK(paths.size() == 6 + 1 + 3 + 6);
  CHECK(paths.front().path == "/c/metal-unlock/");
  CHECK(paths.front().what == "the shim, libmetal-unlock.dylib, in a folder for each version");
  CHECK_FALSE(paths.front().is_named);
  std::set<std::string> below;
  for (const WrittenPath& path : paths)
    if (path.path.starts_with("/")) below.insert(path.path);
  CHECK(below.contains("/h/Library/LaunchAgents/LABEL.plist"));
  CHECK(below.contains("/usr/local/share/man/man1/metal-unlock.1"));
  CHECK(below.size() == 10);
}

TEST_CASE("an agent says all that launchd has to know") {
  const auto text = agent_plist({.label = "local.x",
                                 .argv = {"/bin/a", "b & c"},
                                 .environment = {{"PATH", "/opt/bin"}},
                                 .working_folder = "/w",
                                 .log = "/l/x.log",
                                 .keep_alive = true});
  REQUIRE(text);
  const auto has = [&](std::string_view part) { return text->find(part) != std::string::npos; };
  CHECK(has("<string>/bin/a</string>\n\t\t<string>b &amp; c</string>"));
  CHECK(has("<key>EnvironmentVariables</key>\n\t<dict>\n\t\t<key>PATH</key>\n\t\t<string>/opt/bin</string>"));
  CHECK(has("<key>WorkingDirectory</key>\n\t<string>/w</string>"));
  CHECK(has("<key>StandardErrorPath</key>\n\t<string>/l/x.log</string>"));
  CHECK(has("<key>KeepAlive</key>"));
  const auto least = agent_plist(
      {.label = "local.x", .argv = {"/bin/a"}, .environment = {}, .working_folder = {}, .log = {}});
  REQUIRE(least);
  for (const char* key : {"EnvironmentVariables", "WorkingDirectory", "StandardErrorPath", "KeepAlive"})
    CHECK(least->find(key) == std::string::npos);
}

TEST_CASE("what cannot be written in XML is refused wherever it stands") {
  const LaunchAgent agent{.label = "x", .argv = {"/a"}, .environment = {}, .working_folder = {}, .log = {}};
  CHECK(agent_plist(agent));
  LaunchAgent spoilt = agent;
  spoilt.environment = {{"NAME", "\x01"}};
  CHECK_FALSE(agent_plist(spoilt));
  spoilt = agent;
  spoilt.log = "/\xff";
  CHECK_FALSE(agent_plist(spoilt));
  spoilt = agent;
  spoilt.working_folder = "/\xff";
  CHECK_FALSE(agent_plist(spoilt));
}

TEST_CASE("an agent without a label is called after its program") {
  CHECK(label_for("/opt/bin/llama-server") == "local.metal-unlock.llama-server");
  CHECK(label_for("my tool.1_2") == "local.metal-unlock.my_tool.1_2");
}

TEST_CASE("each kind of link has words of its own") {
  std::set<std::string_view> words;
  for (const LinkKind kind :
       {LinkKind::interpreter, LinkKind::no_interpreter, LinkKind::env, LinkKind::wrapper_script,
        LinkKind::version_manager, LinkKind::python_framework, LinkKind::developer_tool, LinkKind::bundle})
    CHECK(words.insert(to_text(kind)).second);
}

TEST_CASE("what bench printed is read again, each side by itself") {
  const auto samples = [](Side side) {
    const Result<Measurements> all = read_measurements(own_file(own_row), "FILE", side);
    REQUIRE(all);
    CHECK(all->format == SampleFormat::own);
    REQUIRE(all->series.size() == 1);
    return all->series.front();
  };
  CHECK(samples(Side::stock).samples == std::vector<double>{1, 2});
  CHECK(samples(Side::unlocked).samples == std::vector<double>{3});
  const Series host = samples(Side::host);
  CHECK(host.samples == std::vector<double>{1, 2});
  CHECK(host.unit == Unit::tokens_per_second);
  CHECK(host.workload.model_size == Bytes{1024});
  CHECK(host.workload.threads == 4);
  CHECK(host.workload.settings.at("type_k") == "f16");
  const std::string with_host = own_row_with("\"stock\"", "\"host\": {\"samples\": [9]}, \"stock\"");
  CHECK(read_measurements(own_file(with_host), "FILE", Side::host)->series.front().samples ==
        std::vector<double>{9});
  const std::string times = own_row_with("tokens/s", "s");
  CHECK(read_measurements(own_file(times), "FILE", Side::stock)->series.front().unit == Unit::seconds);
  std::string unknown = own_row_with("\"model_size\": 1024", "\"model_size\": null");
  unknown.replace(unknown.find("\"threads\": 4"), 12, "\"threads\": null");
  const auto without = read_measurements(own_file(unknown), "FILE", Side::stock);
  REQUIRE(without);
  CHECK_FALSE(without->series.front().workload.model_size);
  CHECK_FALSE(without->series.front().workload.threads);
}

TEST_CASE("what bench did not print is not read") {
  CHECK(own_refusal(own_file(own_row)) == "was read");
  CHECK(own_refusal(own_file(own_row_with("tokens/s", "tokens"))) ==
        "FILE:1:rows[0].unit is not 's' or 'tokens/s'");
  CHECK(own_refusal(own_file(own_row_with("\"f16\"", "16"))) == "FILE:settings.type_k is not a text");
  CHECK(own_refusal(own_file(own_row_with("\"stock\"", "\"stack\""))) == "FILE:1:rows[0].stock is missing");
  CHECK(own_refusal(own_file(own_row_with("[1, 2]", "[1, -2]"))) ==
        "FILE:1:rows[0].stock.samples[1] is not a number that is not negative");
  std::string future = own_file(own_row);
  future.replace(future.find(": 1"), 3, ": 2");
  CHECK(own_refusal(future) == "FILE:1:schema is not 1, the schema that is known here");
}
