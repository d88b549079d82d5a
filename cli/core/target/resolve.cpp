// SPDX-License-Identifier: MIT
#include "cli/core/shell_word.hpp"
#include "cli/core/target.hpp"
#include "cli/core/target/env_words.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/target/places.hpp"
#include "cli/core/target/python.hpp"
#include "cli/core/target/script.hpp"
#include "cli/core/target/wrappers.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <utility>

namespace metal_unlock {
namespace {

/// Follows one command, link by link. Each step either moves on to the next program, or ends the walk.
class Walk {
 public:
  Walk(const std::vector<std::string>& command, const Environment& environment, const FileLookup& files)
      : environment_(environment), files_(files), argv_(command) {
    target_.word = command.front();
    target_.argv = command;
  }

  Result<Target> to_the_end() {
    constexpr int most_links = 16;
    for (int links = 0; links < most_links; ++links) {
      Result<bool> is_moving = step();
      if (!is_moving) return std::move(is_moving).finding();
      if (!*is_moving) return std::move(target_);
    }
    return cycle();
  }

 private:
  /// The arguments so far, for another program.
  std::vector<std::string> own_words(const std::string& program) const {
    std::vector<std::string> words{program};
    words.insert(words.end(), argv_.begin() + 1, argv_.end());
    return words;
  }

  Environment now() const { return environment_.with(target_.change); }

  /// Whether there is another link to follow.
  Result<bool> step() {
    if (std::string program = bundle_program(argv_.front(), files_); !program.empty()) {
      if (target_.chain.empty()) target_.typed_file = program;
      file_ = argv_.front();
      return pass_over(LinkKind::bundle, program, own_words(program));
    }
    const Environment environment = now();
    Result<FoundProgram> found = find_program(argv_.front(), search_path(environment), files_);
    if (!found) return for_link(std::move(found).finding());
    file_ = found->file;
    arrive(*found);
    if (is_env(file_)) return follow_env(environment);
    if (std::string tool = developer_tool(file_, environment, files_); !tool.empty())
      return pass_over(LinkKind::developer_tool, tool, own_words(tool));
    const std::string text = start_of(file_, looked_at, files_);
    if (text.starts_with("#!")) return follow_script(text);
    if (const std::string python = framework_python(files_.canonical(file_), files_); !python.empty()) {
      const EnvironmentChange change = framework_change(file_, files_);
      return pass_over(LinkKind::python_framework, python, own_words(python), change);
    }
    target_.wrapper = wrapper_of(file_, argv_);
    if (target_.wrapper && target_.wrapper->is_shell && !scripts_.empty())
      target_.wrapper = script_wrapper(scripts_.back(), script_text_);
    if (!may_be_shell_text(text) || found->facts.kind != FileKind::regular || text.empty()) return false;
    return run_by_shell(text);
  }

  /// The program that the command leads to, so far.
  void arrive(const FoundProgram& found) {
    if (target_.chain.empty()) target_.typed_file = found.file;
    target_.program = found.file;
    target_.facts = found.facts;
    if (is_passed_over_) {
      target_.file = found.file;
      target_.argv = argv_;
      is_passed_over_ = false;
    } else if (target_.chain.empty()) {
      target_.file = found.file;
    }
  }

  Result<bool> follow_env(const Environment& environment) {
    const auto call = read_env_words(std::span{argv_}.subspan(1), environment);
    if (!call)
      target_.wrapper = Wrapper{"env", "put metal-unlock behind env: env … metal-unlock run -- COMMAND"};
    if (!call || call->command.empty()) return false;
    return pass_over(LinkKind::env, call->command.front(), call->command, call->change);
  }

  Result<bool> follow_script(const std::string& text) {
    if (auto loop = self_loop(text)) return *std::move(loop);
    std::vector<std::string> words = interpreter_words(text);
    if (words.empty()) return run_by_shell(text);
    if (is_pyenv_shim(text)) return follow_pyenv(text);
    if (std::ranges::any_of(words, is_shell) && text.size() < looked_at)
      if (const auto wrapper = read_wrapper_script(text)) return follow_wrapper_script(*wrapper);
    if (std::ranges::find(scripts_, file_) != scripts_.end()) return cycle();
    scripts_.push_back(file_);
    script_text_ = text;
    // The kernel does not search PATH.
    if (words.front().find('/') == std::string::npos) words.front().insert(0, "./");
    words.push_back(file_);
    words.insert(words.end(), argv_.begin() + 1, argv_.end());
    const std::string interpreter = words.front();
    return move_on(LinkKind::interpreter, interpreter, std::move(words));
  }

  Result<bool> follow_pyenv(const std::string& text) {
    if (const auto managed = pyenv_program(text, file_name(file_), now(), files_))
      return pass_over(LinkKind::version_manager, managed->file, own_words(managed->file), managed->change);
    target_.wrapper =
        Wrapper{"pyenv", formatted("metal-unlock run -- \"$(pyenv which {})\"", file_name(file_))};
    return false;
  }

  Result<bool> follow_wrapper_script(const WrapperScript& script) {
    std::vector<std::string> words = script.words;
    if (script.passes_own_path) words.push_back(file_);
    words.insert(words.end(), argv_.begin() + 1, argv_.end());
    const std::string program = words.front();
    return pass_over(LinkKind::wrapper_script, program, std::move(words),
                     {.set = script.assignments, .unset = {}});
  }

  /// execvp hands a file that the kernel does not know to the shell.
  Result<bool> run_by_shell(const std::string& text) {
    constexpr std::string_view shell = "/bin/sh";
    target_.chain.push_back({LinkKind::no_interpreter, file_, std::string{shell}});
    target_.wrapper = script_wrapper(file_, text);
    target_.program = shell;
    target_.facts = files_.facts(target_.program);
    return false;
  }

  /// A link that the system follows by itself: what is executed stays.
  Result<bool> move_on(LinkKind kind, const std::string& to, std::vector<std::string> argv) {
    target_.chain.push_back({kind, file_, to});
    argv_ = std::move(argv);
    return true;
  }

  /// A link that would lose the shim: the next program is executed instead.
  Result<bool> pass_over(LinkKind kind, const std::string& to, std::vector<std::string> argv,
                         const EnvironmentChange& change = {}) {
    target_.change = followed_by(target_.change, change);
    is_passed_over_ = true;
    return move_on(kind, to, std::move(argv));
  }

  static bool is_shell(std::string_view interpreter) {
    constexpr std::string_view shells[] = {"sh", "bash", "zsh", "dash", "ksh"};
    return std::ranges::find(shells, file_name(interpreter)) != std::end(shells);
  }

  /// A script that has metal-unlock start it again, by itself or by way of other such scripts, would never
  /// end.
  std::optional<Finding> self_loop(const std::string& text) const {
    const auto word = word_given_to_metal_unlock(text);
    if (!word) return std::nullopt;
    constexpr int most_scripts = 16;
    std::string file = program_given(*word, file_);
    for (int i = 0; i < most_scripts && !file.empty(); ++i) {
      if (files_.canonical(file) == files_.canonical(file_))
        return Finding{FindingId::self_loop,
                       formatted("'{}' calls metal-unlock with '{}', which {} this script again", file_,
                                 *word, i == 0 ? "is" : "leads to"),
                       formatted("name the program's own file in {}", shell_word(file_))};
      const auto next = word_given_to_metal_unlock(start_of(file, looked_at, files_));
      file = next ? program_given(*next, file) : std::string{};
    }
    return std::nullopt;
  }

  /// What a word in a script stands for; empty: nothing that is there.
  std::string program_given(const std::string& word, const std::string& script) const {
    if (word == "$0" || word == "${0}") return script;
    const Result<FoundProgram> found = find_program(word, search_path(now()), files_);
    return found ? found->file : std::string{};
  }

  Finding cycle() const {
    return {FindingId::script_cycle,
            formatted("the interpreter of '{}' leads back to it", target_.typed_file),
            formatted("correct the first line of {}", shell_word(target_.typed_file))};
  }

  /// A program that is missing further on is told by what names it.
  Finding for_link(Finding finding) const {
    if (target_.chain.empty() || finding.id != FindingId::not_found) return finding;
    const Link& link = target_.chain.back();
    const bool ends_in_return = link.to.ends_with('\r');
    return {FindingId::interpreter_missing,
            formatted("'{}' names the {} '{}', which does not exist", link.from,
                      link.kind == LinkKind::interpreter ? "interpreter" : "program", link.to),
            ends_in_return ? formatted("its lines end in a carriage return: sed -i '' 's/\\r$//' {}",
                                       shell_word(link.from))
                           : std::string{"install it, or correct the name"}};
  }

  const Environment& environment_;
  const FileLookup& files_;
  std::vector<std::string> argv_;
  std::string file_;
  std::vector<std::string> scripts_;
  std::string script_text_;  ///< of the last one
  bool is_passed_over_ = false;
  Target target_;
};

}  // namespace

std::string_view to_text(LinkKind kind) {
  switch (kind) {
    case LinkKind::interpreter:
      return "its interpreter is";
    case LinkKind::no_interpreter:
      return "has no interpreter line, so it is run by";
    case LinkKind::env:
      return "env starts";
    case LinkKind::wrapper_script:
      return "a script that starts";
    case LinkKind::version_manager:
      return "pyenv starts";
    case LinkKind::python_framework:
      return "a Python framework starts";
    case LinkKind::developer_tool:
      return "stands for the developer tool";
    case LinkKind::bundle:
      break;
  }
  return "an application, whose program is";
}

Result<Target> resolve_target(const std::vector<std::string>& command, const Environment& environment,
                              const FileLookup& files) {
  return Walk{command, environment, files}.to_the_end();
}

}  // namespace metal_unlock
