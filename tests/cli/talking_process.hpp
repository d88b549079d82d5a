// SPDX-License-Identifier: MIT
#pragma once

#include "tests/process.hpp"

#include <cstdio>
#include <string>

namespace metal_unlock {

/// A program that lives while a test talks to it line by line. Its first line is read at once; a program that
/// is still there at the end of the scope is killed.
class TalkingProcess {
 public:
  explicit TalkingProcess(const ProcessCommand& command);
  ~TalkingProcess();
  TalkingProcess(const TalkingProcess&) = delete;
  TalkingProcess& operator=(const TalkingProcess&) = delete;

  int pid() const { return pid_; }
  std::string pid_text() const { return std::to_string(pid_); }
  const std::string& first_line() const { return first_line_; }
  /// Writes a line and returns the next one that the program prints; throws where none comes in time.
  std::string ask(const std::string& line);
  std::string read_line();
  void write_line(const std::string& line) const;
  /// Ends its input and waits for its end: exit status, or 128 + signal.
  int finish();

 private:
  int pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::string first_line_;
};

}  // namespace metal_unlock
