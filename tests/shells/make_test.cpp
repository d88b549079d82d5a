// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

constexpr const char* makefile = R"MAKE(include metal-unlock.mk
caps: ; @$(UNLOCK) caps --json
words: ; @$(UNLOCK) printf '[%s]' 'a b' '' '$$x' --
fail: ; $(UNLOCK) sh -c 'exit 3'
absent: ; $(UNLOCK) no-such-program
plain: ; $(UNLOCK) ./no-program
crash: ; $(UNLOCK) sh -c 'kill -SEGV $$$$'
four: one-1 one-2 one-3 one-4
one-%: ; @$(UNLOCK) sh -c 'echo $@ >> began; while [ "$$(wc -l < began)" -lt 4 ]; do sleep 0.05; done; echo $@'
deep: ; +@$(UNLOCK) $(MAKE) --no-print-directory inner
inner: ; @echo "$(filter --jobserver% -j%,$(MAKEFLAGS))"
)MAKE";

/// A project with the include file, on a machine with metal-unlock or without it.
struct Project : Sandbox {
  explicit Project(bool is_installed, std::string_view guest = "tahoe-26-m1-ultra") : Sandbox(guest) {
    const auto bin = work().parent_path() / "bin";
    write("work/Makefile", makefile);
    write("work/metal-unlock.mk", read_file(source_directory() / "docs/examples/metal-unlock.mk"));
    write("work/no-program", "");
    std::filesystem::create_directories(bin);
    std::filesystem::create_symlink(metal_caps_program(), bin / "caps");
    if (is_installed) std::filesystem::create_symlink(metal_unlock_program(), bin / "metal-unlock");
    set("PATH", bin.string() + ":/usr/bin:/bin");
    set("MAKEFLAGS", std::nullopt);
    set("MAKELEVEL", std::nullopt);
    set("MFLAGS", std::nullopt);
  }
};

Outcome make(const Sandbox& sandbox, Words words) {
  words.insert(words.begin(), "make");
  return sandbox.execute(std::move(words));
}

/// The line with which make says how a recipe ended, without the position of the recipe.
std::string ending(const Outcome& outcome) {
  const std::size_t at = outcome.err.rfind("] ");
  return at == std::string::npos ? outcome.err : outcome.err.substr(at + 2);
}

}  // namespace

TEST_CASE("one Makefile is unlocked in a guest and stock everywhere else, whether the tool is there or not") {
  struct Row {
    bool is_installed;
    const char* guest;
    int family;
  };
  for (const Row& row : {Row{true, "tahoe-26-m1-ultra", 1007}, Row{false, "tahoe-26-m1-ultra", 1005},
                         Row{true, "not-a-mac", 0}, Row{true, "bare-metal-m5", 1010}}) {
    CAPTURE(row.is_installed, row.guest);
    const Project sandbox(row.is_installed, row.guest);
    const Outcome outcome = make(sandbox, {"caps"});
    CAPTURE(outcome.out, outcome.err);
    if (row.family != 0) {
      CHECK(outcome.exit_status == 0);
      CHECK(apple_families(json::parse(outcome.out)).back() == row.family);
    }
    CHECK(make(sandbox, {"words"}).out == "[a b][][$x][--]");
  }
}

TEST_CASE("make says the same of a recipe's end with the tool as without it") {
  const Project with(true);
  const Project without(false);
  for (const auto& [target, text] : {std::pair{"fail", "Error 3\n"}, {"absent", "Error 127\n"}}) {
    CAPTURE(target);
    for (const Sandbox* sandbox : {&with, &without}) {
      const Outcome outcome = make(*sandbox, {target});
      CAPTURE(outcome.err);
      CHECK(outcome.exit_status == 2);
      CHECK(ending(outcome) == text);
    }
  }
  for (const Sandbox* sandbox : {&with, &without}) {
    const Outcome outcome = make(*sandbox, {"crash"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 2);
    CHECK(outcome.err.find("Segmentation fault") != std::string::npos);
  }
  // Without the tool make starts such a file itself, and calls that 127 as well.
  CHECK(ending(make(with, {"plain"})) == "Error 126\n");
  CHECK(ending(make(with, {"caps", "UNLOCK_OPTIONS=--profile nobody"})) == "Error 125\n");
}

TEST_CASE("options go into a variable, and UNLOCK itself can be replaced") {
  const Project sandbox(true);
  CHECK(make(sandbox, {"-n", "caps", "UNLOCK_OPTIONS=--require -v"}).out ==
        "metal-unlock run --require -v -- caps --json\n");
  CHECK(make(sandbox, {"-n", "caps", "UNLOCK="}).out == "caps --json\n");
  CHECK(make(Project(false), {"-n", "caps"}).out == "caps --json\n");
}

TEST_CASE("parallel make starts as many as it would, and a make below shares its jobs") {
  for (const bool is_installed : {true, false}) {
    CAPTURE(is_installed);
    const Project sandbox(is_installed);
    const Outcome four = make(sandbox, {"-j4", "four"});
    CAPTURE(four.err);
    CHECK(four.exit_status == 0);  // each waits for the other three
    CHECK(four.out.size() == std::string{"one-1\n"}.size() * 4);
    const Outcome deep = make(sandbox, {"-j4", "deep"});
    CAPTURE(deep.out, deep.err);
    CHECK(deep.err.find("jobserver") == std::string::npos);  // "jobserver unavailable"
    CHECK(deep.out.find("--jobserver") != std::string::npos);
  }
}
