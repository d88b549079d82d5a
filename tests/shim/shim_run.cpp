// SPDX-License-Identifier: MIT
#include "tests/shim/shim_run.hpp"

#include "tests/files.hpp"

#include <cstdlib>
#include <sstream>

namespace metal_unlock {
namespace {

std::vector<json> parsed_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

json answers(const std::string& class_name, int highest_apple_family, int memory) {
  json families = json::array();
  for (int family = 1001; family <= highest_apple_family; ++family) families.push_back(family);
  for (int family = 3001; family <= 3003; ++family) families.push_back(family);
  return {{"class", class_name}, {"families", families}, {"memory", memory}};
}

}  // namespace

std::filesystem::path shim_under_test() {
  const char* other = std::getenv("METAL_UNLOCK_SHIM_UNDER_TEST");
  return other == nullptr ? build_directory() / "libmetal-unlock.so" : std::filesystem::path(other);
}

std::filesystem::path variant_metal(const std::string& variant) {
  return build_directory() / "variants" / variant / "libMetal.so";
}

std::vector<json> ShimOutcome::events_named(const std::string& name) const {
  std::vector<json> found;
  for (const json& event : events) {
    if (event.at("event") == name) found.push_back(event);
  }
  return found;
}

ShimOutcome run_with_shim(const ShimRun& run) {
  const TemporaryDirectory directory;
  const std::filesystem::path report = directory.path() / "report";
  ProcessCommand command{.argv = run.argv, .input = run.input};
  command.argv.front() = build_directory() / run.argv.front();
  command.environment = {{"LD_PRELOAD", shim_under_test()}, {"METAL_UNLOCK_HANDOFF", std::nullopt}};
  command.environment["LD_LIBRARY_PATH"] =
      variant_metal(run.variant).parent_path().string() + ":" + (build_directory() / "variants").string();
  if (run.handoff) {
    const std::string to_file = run.with_report ? ";report=" + report.string() : "";
    command.environment["METAL_UNLOCK_HANDOFF"] = "v1;" + *run.handoff + to_file + ";end";
  }
  for (const auto& [name, value] : run.environment) command.environment[name] = value;
  ShimOutcome outcome{.process = run_process(command), .lines = {}, .events = {}};
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
