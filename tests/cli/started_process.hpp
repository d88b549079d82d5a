// SPDX-License-Identifier: MIT
#pragma once

#include "tests/process.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace metal_unlock {

/// A program that runs beside the test, in a process group of its own; its output goes nowhere.
class StartedProcess {
 public:
  explicit StartedProcess(const ProcessCommand& command);
  /// Kills it where it still runs.
  ~StartedProcess();
  StartedProcess(const StartedProcess&) = delete;
  StartedProcess& operator=(const StartedProcess&) = delete;

  void send(int signal) const;

  struct End {
    std::optional<int> exit_status;
    std::optional<int> signal;
  };
  End wait();

 private:
  pid_t pid_ = -1;
};

/// The processes with this text in their environment, but this one.
std::vector<pid_t> processes_with(const std::string& text);

/// Whether one of them was started with this word.
bool runs_with(const std::string& text, const std::string& word);

/// True as soon as there are none; false where some are still there after ten seconds.
bool none_left_with(const std::string& text);

void wait_milliseconds(int count);

}  // namespace metal_unlock
