// SPDX-License-Identifier: MIT
#pragma once

#include "tests/process.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace metal_unlock {

struct WindowSize {
  unsigned short rows;
  unsigned short columns;
};

/// A program that leads a session on a terminal of its own, as somebody at a keyboard sees it.
class PseudoTerminal {
 public:
  /// Starts the program. `limit` of the command is for each wait.
  explicit PseudoTerminal(const ProcessCommand& command, WindowSize window = {40, 200});
  /// Ends the program and everything that it started on this terminal.
  ~PseudoTerminal();
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int pid() const { return child_; }
  void type(std::string_view keys) const;
  void resize(WindowSize window) const;
  /// As when the window is closed. Waits for the program's end.
  void hang_up();
  /// Reads until it is so; false where the time is up, or nobody writes any more.
  bool wait_until(const std::function<bool()>& is_so);
  bool wait_for(std::string_view text);
  /// Reads until this text has come, and returns, and forgets, what came before it; throws where it does not
  /// come.
  std::string take_until(std::string_view text);
  /// Reads until `start` and the end of its line have come, and returns what stands between them.
  std::string line_after(std::string_view start);
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
