// SPDX-License-Identifier: MIT
#pragma once

#include "tests/json.hpp"
#include "tests/process.hpp"
#include "tests/shim/entrance.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// The library under test.
std::filesystem::path shim_under_test();

/// A program to start with the shim in its preload list.
struct ShimRun {
  std::vector<std::string> argv;  ///< argv[0] is a file where the programs were built, or absolute
  /// What stands between `v1;` and `;end`; nothing: no handoff at all.
  std::optional<std::string> handoff = {};
  std::string variant = "with_init";    ///< which libMetal.so is found
  EnvironmentChanges environment = {};  ///< changes beyond that
  std::string input = {};
  bool with_report = true;  ///< where there is a handoff
};

struct ShimOutcome {
  Outcome process;
  std::vector<json> lines;   ///< stdout, each line parsed
  std::vector<json> events;  ///< the report, each line parsed

  /// The events of this name, in their order.
  std::vector<json> events_named(const std::string& name) const;
};

/// How to start it, with a report in `report` where there is one.
ProcessCommand command_with_shim(const ShimRun& run, const std::filesystem::path& report);
ShimOutcome run_with_shim(const ShimRun& run);

/// What a device of the variants answers when it is not overridden, and with the usual claims of Apple 7 and
/// 32 KiB.
json stock_answers(const std::string& class_name);
json told_answers(const std::string& class_name);

/// `class=NAME` for each name and the usual claims.
std::string usual_handoff(const std::vector<std::string>& class_names);

/// Where libMetal.so of a variant is.
std::filesystem::path variant_metal(const std::string& variant);

}  // namespace metal_unlock
