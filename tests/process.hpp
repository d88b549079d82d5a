// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// A program to start, without a shell.
struct ProcessCommand {
  std::vector<std::string> argv;  ///< argv[0] is searched in PATH where it holds no slash
  /// Changes to the environment of the test: a value sets the variable, nothing removes it.
  std::map<std::string, std::optional<std::string>> environment = {};
  std::string input = {};                ///< all of stdin, then end of file
  std::filesystem::path directory = {};  ///< working directory, that of the test where empty
  std::chrono::seconds limit{60};        ///< then the program and its children are killed
};

/// How it ended: exactly one of the first two is set.
struct Outcome {
  std::optional<int> exit_status;
  std::optional<int> signal;
  bool timed_out = false;
  int pid = 0;
  std::string out;
  std::string err;
};

/// Runs the program to its end, and until nobody holds its stdout and stderr. Throws std::system_error where
/// it cannot even be started, so that no test mistakes a missing program for a program that failed.
Outcome run_process(const ProcessCommand& command);

}  // namespace metal_unlock
