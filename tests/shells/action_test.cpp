// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/text_search.hpp"

#include <sstream>

using namespace metal_unlock;

namespace {

/// A file in YAML, as Ruby's reader understands it.
json yaml_file(const std::filesystem::path& file) {
  const Outcome outcome = run_process({.argv = {"ruby", "-ryaml", "-rjson", "-e",
                                                "print JSON.dump(YAML.load_file(ARGV[0]))", file.string()}});
  REQUIRE(outcome.exit_status == 0);
  return json::parse(outcome.out);
}

/// The lines NAME=CONTENT of a file that a step adds its outputs to.
std::map<std::string, std::string> outputs_in(const std::filesystem::path& file) {
  std::map<std::string, std::string> outputs;
  std::istringstream lines{read_file(file)};
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      outputs[line.substr(0, equals)] = line.substr(equals + 1);
  return outputs;
}

/// What stands of our composite action's run, up to the first step that fails.
struct ActionRun {
  std::string failed;  ///< the step's name; empty: none
  std::string printed;
  std::string summary;
  std::map<std::string, std::string> outputs;  ///< by "STEP.NAME"
};

/// Runs the steps of docs/examples/action.yml as a runner does: bash with -eo pipefail, inputs and outputs
/// put in.
class ActionRunner {
 public:
  ActionRunner(const Sandbox& sandbox, std::map<std::string, std::string> inputs)
      : sandbox_(sandbox), action_(yaml_file(source_directory() / "docs/examples/action.yml")) {
    for (const auto& [name, row] : action_.at("inputs").items())
      known_["inputs." + name] = row.value("default", "");
    for (auto& [name, content] : inputs) known_["inputs." + name] = std::move(content);
  }

  ActionRun run() {
    ActionRun result;
    for (const json& step : action_.at("runs").at("steps"))
      if (step.contains("run") && !run_step(step, result)) {
        result.failed = step.at("name");
        break;
      }
    return result;
  }

 private:
  bool run_step(const json& step, ActionRun& result) {
    REQUIRE(step.at("shell") == "bash");
    const auto outputs = sandbox_.write("runner/output", "");
    const auto summary = sandbox_.write("runner/summary", "");
    const auto script = sandbox_.write("runner/step.sh", step.at("run").get<std::string>());
    ProcessCommand command =
        sandbox_.command({"bash", "--noprofile", "--norc", "-eo", "pipefail", script.string()});
    for (const auto& [name, content] : step.at("env").items())
      command.environment[name] = put_in(content.get<std::string>());
    command.environment["GITHUB_OUTPUT"] = outputs.string();
    command.environment["GITHUB_STEP_SUMMARY"] = summary.string();
    command.environment["RUNNER_TEMP"] = outputs.parent_path().string();
    const Outcome outcome = run_process(command);
    result.printed += outcome.out + outcome.err;
    result.summary += read_file(summary);
    for (const auto& [name, content] : outputs_in(outputs)) {
      result.outputs[step.value("id", "") + "." + name] = content;
      known_["steps." + step.value("id", "") + ".outputs." + name] = content;
    }
    return outcome.exit_status == 0;
  }

  /// `${{ NAME }}` with what is known of it; a name that nobody gave fails the test.
  std::string put_in(std::string text) const {
    constexpr std::string_view open = "${{ ";
    constexpr std::string_view close = " }}";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open)) {
      const std::size_t end = text.find(close, at);
      const std::string name = text.substr(at + open.size(), end - at - open.size());
      CAPTURE(name);
      REQUIRE(known_.contains(name));
      text.replace(at, end + close.size() - at, known_.at(name));
    }
    return text;
  }

  const Sandbox& sandbox_;
  json action_;
  std::map<std::string, std::string> known_;
};

ActionRun run_action(const Sandbox& sandbox, const std::string& line,
                     std::map<std::string, std::string> inputs = {}) {
  inputs["command"] = line;
  inputs["program"] = metal_unlock_program();
  return ActionRunner{sandbox, std::move(inputs)}.run();
}

}  // namespace

TEST_CASE("the composite action runs a command unlocked, and keeps report and output") {
  const Sandbox sandbox;
  const ActionRun action = run_action(sandbox, metal_caps_program() + " --json");
  INFO(action.printed);
  CHECK(action.failed.empty());
  CHECK(holds(action.summary, R"("event":"effective")"));
  const std::filesystem::path folder = action.outputs.at("run.folder");
  CHECK(action.outputs.at("run.report") == (folder / "report.jsonl").string());
  CHECK(apple_families(json::parse(read_file(folder / "output.txt"))).back() == 1007);
}

TEST_CASE("the composite action hands its inputs on, words with spaces as they are") {
  const Sandbox sandbox;
  std::filesystem::create_symlink(metal_caps_program(), sandbox.work() / "my caps");
  const ActionRun action = run_action(sandbox, "'./my caps' --json", {{"profile", "m1"}});
  INFO(action.printed);
  CHECK(action.failed.empty());
  CHECK(holds(action.printed, "AppleParavirtDevice"));
  CHECK(holds(read_file(action.outputs.at("run.report")), R"("profile":"m1")"));
}

TEST_CASE("the composite action fails where the guest is not ready, with an annotation") {
  Sandbox sandbox;
  sandbox.choose_guest("no-device");
  const ActionRun action = run_action(sandbox, metal_caps_program());
  INFO(action.printed);
  CHECK(action.failed == "Is this guest ready?");
  CHECK(holds(action.printed, "::error"));
}

TEST_CASE("the composite action fails with the command, and where nothing proves the unlock") {
  const Sandbox sandbox;
  CHECK(run_action(sandbox, "sh -c 'exit 7'").failed == "Run it");
  const ActionRun unproven = run_action(sandbox, "true");
  INFO(unproven.printed);
  CHECK(unproven.failed == "Was it unlocked?");
  CHECK(holds(unproven.printed, "::error title=metal-unlock::"));
}
