// SPDX-License-Identifier: MIT
#include "cli/args/parse.hpp"
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/docs/page.hpp"
#include "tests/lines_of.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> files{source_directory() / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_directory() / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// A guest in which the commands of a page find what they speak of.
class Reader {
 public:
  Reader() {
    const auto root = sandbox_.work().parent_path();
    const auto bin = root / "bin";
    std::filesystem::create_directories(bin);
    for (const char* name : {"metal-unlock", "metal-caps"})
      std::filesystem::create_symlink(build_directory() / name, bin / name);
    for (const char* name : {"llama-server", "llama-bench", "llama-cli", "ollama"})
      std::filesystem::create_symlink(build_directory() / "docs-stand-in", bin / name);
    std::filesystem::create_symlink(build_directory(), sandbox_.work() / "build");
    for (const char* name : {"docs", "profiles", "tests"})
      std::filesystem::create_symlink(source_directory() / name, sandbox_.work() / name);
    sandbox_.write("work/model.gguf", "a model");
    sandbox_.set("METAL_UNLOCK_SIMULATED_PREFERENCE", (root / "preference").string());
    sandbox_.set("METAL_UNLOCK_SIMULATED_SHARES", (root / "shares").string());
    sandbox_.set("METAL_UNLOCK_MACHINE_STATE",
                 sandbox_.write("state", "busy 0\nbattery 0\nheat 0\n").string());
    sandbox_.set("PATH", bin.string() + ":/usr/bin:/bin");
    sandbox_.set("SHELL", "/bin/bash");
    // The documents speak of ~/.config and ~/.cache.
    sandbox_.set("XDG_CONFIG_HOME", std::nullopt);
    sandbox_.set("XDG_CACHE_HOME", std::nullopt);
    sandbox_.set("LC_ALL", "C.UTF-8");
    for (const char* name : {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}) sandbox_.set(name, std::nullopt);
  }

  /// What each step printed and ended with; fewer where the shell came to an end.
  struct Printed {
    std::vector<std::string> lines;
    std::string status;
  };

  std::vector<Printed> run(const std::vector<std::pair<DocBlockKind, DocStep>>& steps) const {
    std::string script =
        "exec 2>&1 </dev/null\nshopt -s expand_aliases\nset +m\n"
        // Of a command for the source tree it is checked that make knows what to do.
        "make() { command make -n -C '" +
        source_directory().string() +
        "' \"$@\" >/dev/null; }\n"
        "ninja() { command ninja -n \"$@\" >/dev/null; }\n"
        "cmake() { [ \"$1\" = --preset ] && (cd '" +
        source_directory().string() +
        "' && command cmake --list-presets | grep -q \"\\\"$2\\\"\"); }\n(exit 0)\n";
    for (const auto& [kind, step] : steps) {
      const std::string guest = step.prompt == "host$ " ? "bare-metal-m1-ultra" : "tahoe-26-m1-ultra";
      script += "METAL_UNLOCK_PREVIOUS=$? METAL_UNLOCK_GUEST='" + guest_file(guest).string() +
                "'; (exit $METAL_UNLOCK_PREVIOUS)\n" + step.command +
                "\nMETAL_UNLOCK_PREVIOUS=$?; printf '\\001%d\\n' $METAL_UNLOCK_PREVIOUS; (exit "
                "$METAL_UNLOCK_PREVIOUS)\n";
    }
    ProcessCommand command = sandbox_.command({"bash", sandbox_.write("script", script)});
    // A whole page, on a machine that may be busy with other tests.
    command.limit = std::chrono::seconds(500);
    std::string output = run_process(command).out;
    std::vector<Printed> printed;
    for (std::size_t end = output.find('\001'); end != std::string::npos; end = output.find('\001')) {
      const std::size_t line = output.find('\n', end);
      printed.push_back({lines_of(output.substr(0, end)), output.substr(end + 1, line - end - 1)});
      output.erase(0, line + 1);
    }
    printed.push_back({lines_of(output), "none: the shell ended"});
    return printed;
  }

 private:
  Sandbox sandbox_;
};

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

/// What stands between two marks.
std::vector<std::string> quoted_words(const std::string& text, char mark) {
  std::vector<std::string> words;
  for (std::size_t open = text.find(mark); open != std::string::npos;) {
    const std::size_t close = text.find(mark, open + 1);
    if (close == std::string::npos) break;
    words.push_back(text.substr(open + 1, close - open - 1));
    open = text.find(mark, close + 1);
  }
  return words;
}

/// What is wrong with a page, each fault with its line.
std::vector<std::string> faults_of(const DocPage& page) {
  std::vector<std::string> faults = page.faults;
  std::vector<std::pair<DocBlockKind, DocStep>> steps;
  for (const DocBlock& block : page.blocks)
    if (block.kind != DocBlockKind::mac_only)
      for (const DocStep& step : block.steps) steps.emplace_back(block.kind, step);
  if (steps.empty()) return faults;
  const std::vector<Reader::Printed> printed = Reader{}.run(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DocStep& step = steps[i].second;
    const std::string where = std::to_string(step.line) + ": $ " + step.command + "\n";
    if (i >= printed.size() || printed[i].status.starts_with("none")) {
      faults.push_back(where + "  did not end:\n" + joined_lines(printed.back().lines));
      break;
    }
    const bool is_status_shown = i + 1 < steps.size() && steps[i + 1].second.command == "echo $?";
    if (printed[i].status != "0" && !is_status_shown)
      faults.push_back(where + "  ended with " + printed[i].status +
                       ", which the page does not show by `echo $?`:\n" + joined_lines(printed[i].lines));
    if (!step.output.empty() && !matches(step.output, printed[i].lines))
      faults.push_back(where + "  the page shows\n" + joined_lines(step.output) + "  it printed\n" +
                       joined_lines(printed[i].lines));
  }
  return faults;
}

/// Our own commands of a block that is not run: their words, where a shell would take them as they are.
std::vector<std::string> faults_of_mac_only(const DocPage& page) {
  std::vector<std::string> faults;
  const Sandbox sandbox;
  for (const DocBlock& block : page.blocks)
    for (const DocStep& step : block.steps) {
      if (block.kind != DocBlockKind::mac_only || !step.command.starts_with("metal-unlock ")) continue;
      const std::string words = step.command.substr(13, step.command.find_first_of("|;&<>", 13) - 13);
      const std::string text = sandbox.execute(shell("printf '%s\\0' " + words)).out;
      const auto command = parse_command(zero_terminated(text));
      if (!command) faults.push_back(std::to_string(step.line) + ": " + command.finding().sentence);
    }
  return faults;
}

}  // namespace

TEST_CASE("every command in the README and the documents does what the page says") {
  for (const auto& file : pages()) {
    const DocPage page = read_page(read_file(file));
    std::vector<std::string> faults = faults_of(page);
    const auto more = faults_of_mac_only(page);
    faults.insert(faults.end(), more.begin(), more.end());
    for (const std::string& fault : faults) {
      INFO(std::filesystem::relative(file, source_directory()).string() << ":" << fault);
      CHECK(false);
    }
  }
}

TEST_CASE("every document begins with a command, and the map names every document") {
  const std::string map = read_file(source_directory() / "docs/README.md");
  for (const auto& file : pages()) {
    const std::string name = file.filename();
    CAPTURE(name);
    const DocPage page = read_page(read_file(file));
    REQUIRE_FALSE(page.blocks.empty());
    // A title, at most a sentence, and then what a reader came for.
    CHECK(page.blocks.front().line <= 7);
    const std::string place = std::filesystem::relative(file, source_directory() / "docs");
    if (name != "README.md") CHECK(map.find("(" + place) != std::string::npos);
  }
}

TEST_CASE("links between the documents lead somewhere") {
  for (const auto& file : pages()) {
    const std::string text = read_file(file);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
      std::string link = text.substr(at + 2, text.find(')', at) - at - 2);
      link.erase(std::min(link.size(), link.find('#')));
      if (link.empty() || link.starts_with("http")) continue;
      CAPTURE(file.filename().string(), link);
      CHECK(std::filesystem::exists(file.parent_path() / link));
    }
  }
}

TEST_CASE("every threat names tests that there are") {
  std::size_t rows = 0;
  for (const std::string& line : lines_of(read_file(source_directory() / "docs/security.md"))) {
    const std::size_t column = line.rfind(" | `tests/");
    if (column == std::string::npos) continue;
    ++rows;
    std::string tests;  // the text of the files that are named
    const auto in = quoted_words(line.substr(column), '`');
    for (const std::string& file : in) tests += read_file(source_directory() / file);
    CAPTURE(line);
    for (const std::string& name : quoted_words(line.substr(column), '"'))
      CHECK(tests.find("TEST_CASE(\"" + name) != std::string::npos);
    CHECK_FALSE(tests.empty());
  }
  CHECK(rows >= 10);
}

TEST_CASE("a page with a fault is noticed, by its line") {
  const auto faults = [](const std::string& text) { return faults_of(read_page(text)); };
  const auto block = [](const std::string& mark, const std::string& lines) {
    return "# Title\n\n```" + mark + "\n" + lines + "```\n";
  };
  CHECK(faults(block("console", "$ echo a\na\n$ false\n$ echo $?\n1\n$ metal-unlock --version\nmetal-…\n"))
            .empty());
  CHECK(faults(block("console", "$ printf 'a\\nb\\nc\\n'\na\n…\nc\n")).empty());
  CHECK(faults(block("console", "$ alias x='echo hi'\n$ x\nhi\n$ cat <<'END'\n$ y\nEND\n")).empty());
  CHECK(faults(block("console", "$ echo a \\\n    b\na b\n")).empty());
  CHECK(faults(block("console mac-only", "$ false\n")).empty());
  CHECK(faults(block("console source-tree", "$ make build\n$ make -j4 test\n")).empty());
  CHECK(faults(block("toml", "a = 1\n")).empty());
  CHECK(faults(block("text", "metal-unlocked\n")).empty());
  const std::pair<std::string, std::string> broken[] = {
      {block("console", "$ echo a\nb\n"), "4: "},
      {block("console", "$ echo a\na\nb\n"), "4: "},
      {block("console", "$ printf 'a\\nb\\n'\na\n"), "4: "},
      {block("console", "$ true\n$ false\n"), "5: "},
      {block("console", "$ false\n$ echo $?\n0\n"), "5: "},
      {block("console", "$ exit 0\n$ true\n"), "4: "},
      {block("console", "$ no-such-program\n"), "4: "},
      {block("console", "metal-unlock config\n"), "4: "},
      {block("console", ""), "3: "},
      {block("console sometimes", "$ true\n"), "3: "},
      {block("console source-tree", "$ make nonsense\n"), "4: "},
      {block("", "metal-unlock config\n"), "3: "},
      {block("sh", "metal-unlock config\n"), "3: "},
      {block("text", "a\nmetal-unlock config\n"), "5: "},
      {"# Title\n\n```console\n$ true\n", "3: "},
  };
  for (const auto& [text, where] : broken) {
    CAPTURE(text);
    const auto found = faults(text);
    REQUIRE(found.size() == 1);
    CHECK(found.front().starts_with(where));
  }
  CHECK(faults_of_mac_only(read_page(block("console mac-only", "$ metal-unlock run --profil m1 -- x\n")))
            .size() == 1);
  CHECK(faults_of_mac_only(read_page(block("console mac-only", "$ metal-unlock run -- x '1 2' | cat\n")))
            .empty());
}
