// SPDX-License-Identifier: MIT
#pragma once

#include "tests/process.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace metal_unlock {

/// A program on a terminal of its own, as somebody at a keyboard sees it.
class PseudoTerminal {
 public:
  /// Starts the program. `limit` of the command is for each wait.
  explicit PseudoTerminal(const ProcessCommand& command);
  /// Ends the program and everything that it started on this terminal.
  ~PseudoTerminal();
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(std::string_view keys);
  /// Reads until it is so; false where the time is up, or nobody writes any more.
  bool wait_until(const std::function<bool()>& is_so);
  bool wait_for(std::string_view text);
  /// All that was shown, without the sequences that move the cursor or colour.
  std::string shown() const;
  /// Forgets what was shown so far.
  void clear() { raw_.clear(); }

 private:
  bool read_some(int milliseconds);

  pid_t child_ = -1;
  int terminal_ = -1;
  std::chrono::seconds limit_;
  std::string raw_;
};

}  // namespace metal_unlock
