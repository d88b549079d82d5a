// SPDX-License-Identifier: MIT
#include "tests/shim/shim_run.hpp"

#include "tests/files.hpp"

#include <sstream>

namespace metal_unlock {
namespace {

std::vector<json> parsed_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

json answers(const std::string& class_name, int highest_apple_family, int memory) {
  json families = json::array();
  for (int family = 1001; family <= highest_apple_family; ++family) families.push_back(family);
  for (int family = 3001; family <= 3003; ++family) families.push_back(family);
  return {{"class", class_name}, {"families", families}, {"memory", memory}};
}

}  // namespace

std::filesystem::path shim_under_test() { return entrance().shim; }

std::filesystem::path variant_metal(const std::string& variant) {
  return entrance().programs / "variants" / variant / "libMetal.so";
}

std::vector<json> ShimOutcome::events_named(const std::string& name) const {
  std::vector<json> found;
  for (const json& event : events) {
    if (event.at("event") == name) found.push_back(event);
  }
  return found;
}

ProcessCommand command_with_shim(const ShimRun& run, const std::filesystem::path& report) {
  const Entrance& way = entrance();
  ProcessCommand command{.argv = way.starter, .environment = way.environment, .input = run.input};
  command.argv.push_back(way.programs / run.argv.front());
  command.argv.insert(command.argv.end(), run.argv.begin() + 1, run.argv.end());
  command.environment[way.preload_variable] = shim_under_test();
  command.environment["METAL_UNLOCK_HANDOFF"] = std::nullopt;
  command.environment["SCOPE_CLIENT_STARTER"] = joined(way.starter);
  command.environment["LD_LIBRARY_PATH"] =
      variant_metal(run.variant).parent_path().string() + ":" + (way.programs / "variants").string();
  if (run.handoff) {
    const std::string to_file = run.with_report ? ";report=" + report.string() : "";
    command.environment["METAL_UNLOCK_HANDOFF"] = "v1;" + *run.handoff + to_file + ";end";
  }
  for (const auto& [name, value] : run.environment) command.environment[name] = value;
  return command;
}

ShimOutcome run_with_shim(const ShimRun& run) {
  const TemporaryDirectory directory;
  const std::filesystem::path report = directory.path() / "report";
  ShimOutcome outcome{.process = run_process(command_with_shim(run, report)), .lines = {}, .events = {}};
  outcome.lines = parsed_lines(outcome.process.out);
  if (std::filesystem::exists(report)) outcome.events = parsed_lines(read_file(report));
  return outcome;
}

json stock_answers(const std::string& class_name) { return answers(class_name, 1005, 16384); }
json told_answers(const std::string& class_name) { return answers(class_name, 1007, 32768); }

std::string usual_handoff(const std::vector<std::string>& class_names) {
  std::string text = "apple-family=1007;max-threadgroup-memory=32768";
  for (const std::string& name : class_names) text += ";class=" + name;
  return text;
}

}  // namespace metal_unlock
