// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/pseudo_terminal.hpp"

using namespace metal_unlock;

namespace {

constexpr const char* prompt = "READY> ";

/// A shell as a user has it, with our completions loaded as docs/install.md says.
struct Shell {
  std::string name;
  Words argv;
  std::string start_file;  ///< below the sandbox's root
  std::string start_text;
};

std::vector<Shell> shells() {
  const std::string share = build_directory() / "share";
  const std::string bash_tool =
      "_mytool() { COMPREPLY=($(compgen -W 'alpha' -- \"$2\")); }\n"
      "complete -F _mytool mytool\n";
  const std::string bash_end = "eval \"$(metal-unlock completions bash)\"\n" + bash_tool + "PS1='READY> '\n";
  return {
      {"bash", {"bash", "--noprofile", "--rcfile", "../start", "-i"}, "start", bash_end},
      {"bash with bash-completion",
       {"bash", "--noprofile", "--rcfile", "../start", "-i"},
       "start",
       ". /usr/share/bash-completion/bash_completion\n" + bash_end},
      {"zsh",
       {"zsh", "-i"},
       "home/.zshrc",
       "autoload -Uz compinit\ncompinit -u -d \"$HOME/dump\"\nsource <(metal-unlock completions zsh)\n"
       "_mytool() { compadd alpha }\ncompdef _mytool mytool\nPROMPT='READY> '\n"},
      // Installed: found by the shell itself.
      {"bash, installed",
       {"bash", "--noprofile", "--rcfile", "../start", "-i"},
       "start",
       "XDG_DATA_DIRS='" + share + "'\n. /usr/share/bash-completion/bash_completion\n" + bash_tool +
           "PS1='READY> '\n"},
      {"zsh, installed",
       {"zsh", "-i"},
       "home/.zshrc",
       "fpath=('" + share +
           "/zsh/site-functions' $fpath)\nautoload -Uz compinit\n"
           "compinit -u -d \"$HOME/dump\"\n_mytool() { compadd alpha }\ncompdef _mytool "
           "mytool\nPROMPT='READY> '\n"},
      {"fish, installed",
       {"env", "XDG_DATA_DIRS=" + share + ":/usr/share", "fish", "-i"},
       "config/fish/config.fish",
       "complete -c mytool -f -a alpha\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n"
       "function fish_prompt; printf 'READY> '; end\n"},
      {"fish",
       {"fish", "-i"},
       "config/fish/config.fish",
       "metal-unlock completions fish | source\ncomplete -c mytool -f -a alpha\nset -g fish_greeting\n"
       "set -g fish_autosuggestion_enabled 0\nfunction fish_prompt; printf 'READY> '; end\n"},
  };
}

/// A shell at its prompt, in which `metal-unlock` notes its words in a file instead of doing anything.
class Keyboard {
 public:
  explicit Keyboard(const Shell& shell) {
    sandbox_.write(shell.start_file, shell.start_text);
    // What the completions ask for goes to the program itself; what is typed is noted.
    sandbox_.write_program("bin/metal-unlock", "#!/bin/sh\n[ -t 1 ] || exec '" + metal_unlock_program() +
                                                   "' \"$@\"\nprintf '%s\\n' \"$@\" > ../part\n"
                                                   "mv ../part ../noted\n");
    sandbox_.write_program("bin/mytool", "#!/bin/sh\n");
    sandbox_.write("work/a file.txt", "");
    sandbox_.write("work/folder/x", "");
    sandbox_.set("PATH", (sandbox_.work().parent_path() / "bin").string() + ":/usr/bin:/bin");
    sandbox_.set("TERM", "xterm");
    sandbox_.set("ZDOTDIR", sandbox_.home());
    sandbox_.set("METAL_UNLOCK_GUEST", std::nullopt);
    terminal_ = std::make_unique<PseudoTerminal>(sandbox_.command(shell.argv));
    REQUIRE(terminal_->wait_for(prompt));
  }

  /// What metal-unlock was started with once these keys and Return were pressed.
  Words words_after(const std::string& keys) {
    std::filesystem::remove(noted());
    terminal_->clear();
    terminal_->type(keys + "\r");
    const bool is_noted = terminal_->wait_until([&] { return std::filesystem::exists(noted()); });
    INFO("shown: " << terminal_->shown());
    REQUIRE(is_noted);
    REQUIRE(terminal_->wait_for(prompt));
    Words words;
    std::string text = read_file(noted());
    while (!text.empty()) {
      words.push_back(text.substr(0, text.find('\n')));
      text.erase(0, words.back().size() + 1);
    }
    return words;
  }

  /// Whether the text appears once these keys were pressed. Afterwards nothing more can be typed.
  bool shows(const std::string& keys, const std::string& text) {
    terminal_->clear();
    terminal_->type(keys);
    const bool is_shown = terminal_->wait_for(text);
    UNSCOPED_INFO("shown: " << terminal_->shown());
    return is_shown;
  }

 private:
  std::filesystem::path noted() const { return sandbox_.work().parent_path() / "noted"; }

  Sandbox sandbox_;
  std::unique_ptr<PseudoTerminal> terminal_;
};

}  // namespace

TEST_CASE("a tab completes commands, options, names, files and programs in each shell") {
  struct Row {
    std::string keys;
    Words words;
  };
  const Row rows[] = {
      {"metal-unlock ru\t", {"run"}},
      {"metal-unlock run --pro\t", {"run", "--profile"}},
      {"metal-unlock run --profile m1-u\t", {"run", "--profile", "m1-ultra"}},
      {"metal-unlock run --profile=m1-u\t", {"run", "--profile=m1-ultra"}},
      {"metal-unlock run --report fold\tx", {"run", "--report", "folder/x"}},
      {"metal-unlock run --profile a\\ fi\t", {"run", "--profile", "a file.txt"}},
      {"metal-unlock run --require -- myt\t", {"run", "--require", "--", "mytool"}},
      {"metal-unlock run myt\t", {"run", "mytool"}},
      {"metal-unlock run -- mytool al\t", {"run", "--", "mytool", "alpha"}},
      {"metal-unlock run --profile m1 mytool al\t", {"run", "--profile", "m1", "mytool", "alpha"}},
      {"metal-unlock bench --runs 3 -- mytool al\t", {"bench", "--runs", "3", "--", "mytool", "alpha"}},
      {"metal-unlock doctor --format gi\t", {"doctor", "--format", "github"}},
      {"metal-unlock profiles sh\tm1-u\t", {"profiles", "show", "m1-ultra"}},
      {"metal-unlock explain whis\t", {"explain", "whisper.cpp"}},
      {"metal-unlock help comple\t", {"help", "completions"}},
      {"metal-unlock completions z\t", {"completions", "zsh"}},
      {"metal-unlock launchd ins\tmy.label -- myt\t", {"launchd", "install", "my.label", "--", "mytool"}},
      {"metal-unlock launchd install x -- mytool al\t", {"launchd", "install", "x", "--", "mytool", "alpha"}},
  };
  for (const Shell& shell : shells()) {
    Keyboard keyboard(shell);
    for (const Row& row : rows) {
      CAPTURE(shell.name, row.keys);
      CHECK(keyboard.words_after(row.keys) == row.words);
    }
  }
}

TEST_CASE("where several fit, each shell shows them, and for a target its own commands") {
  for (const Shell& shell : shells()) {
    CAPTURE(shell.name);
    CHECK(Keyboard{shell}.shows("metal-unlock run --profile m1\t\t", "m1-ultra"));
    CHECK(Keyboard{shell}.shows("metal-unlock run --re\t\t", "--report"));
    CHECK(Keyboard{shell}.shows("metal-unlock pr\t\t", "prepare"));
    CHECK(Keyboard{shell}.shows("metal-unlock run -- ec\t\t", "echo"));
  }
}

TEST_CASE("every command and option is in each shell's completions") {
  const Sandbox sandbox;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome printed = sandbox.metal_unlock({"completions", shell});
    CHECK(printed.exit_status == 0);
    CHECK(printed.err.empty());
    for (const CommandRow& row : command_rows()) {
      CAPTURE(shell, row.name);
      // The part of the script about the options of this command, in the words of each shell.
      const std::string begins = std::string{shell} == "bash"
                                     ? "    " + std::string{row.name} + ") _metal_unlock_match"
                                 : std::string{shell} == "zsh" ? "    " + std::string{row.name} + ")\n"
                                                               : "case " + std::string{row.name} + "\n";
      const std::size_t at = printed.out.find(begins);
      REQUIRE(at != std::string::npos);
      const std::size_t end = std::string{shell} == "zsh" ? printed.out.find(";;\n", at)
                                                          : printed.out.find('\n', at + begins.size());
      const std::string part = printed.out.substr(at, end - at);
      for (const OptionRow& option : row.options) {
        CAPTURE(option.name);
        CHECK(part.find(option.name) != std::string::npos);
        CHECK((option.letter.empty() || part.find(option.letter) != std::string::npos));
      }
    }
  }
}

TEST_CASE("completions are for shells that are known, and the names are those that are listed") {
  const Sandbox sandbox;
  CHECK(sandbox.metal_unlock({"completions", "tcsh"}).exit_status == 2);
  CHECK(sandbox.metal_unlock({"completions"}).exit_status == 2);
  CHECK(sandbox.metal_unlock({"completions", "bash", "x"}).exit_status == 2);
  sandbox.write_user_profile("mine", "schema = 1\nextends = \"apple7\"\n");
  const std::string names = sandbox.metal_unlock({"completions", "profiles"}).out;
  CHECK(names.find("\nm1-ultra\n") != std::string::npos);
  CHECK(names.find("\nmine\n") != std::string::npos);
  CHECK(sandbox.metal_unlock({"completions", "programs"}).out.find("llama.cpp\n") != std::string::npos);
}
