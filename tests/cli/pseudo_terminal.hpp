// SPDX-License-Identifier: MIT
#pragma once

#include "tests/process.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

/// A program that leads a session on a terminal of its own, and somebody who types and reads there.
class PseudoTerminal {
 public:
  explicit PseudoTerminal(const ProcessCommand& command);
  ~PseudoTerminal();
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int pid() const { return pid_; }
  void type(std::string_view keys) const;
  /// Reads until this text has come, and returns what came before it; throws where it does not come.
  std::string wait_for(std::string_view text);
  /// Reads until `start` and the end of its line have come, and returns what stands between them.
  std::string line_after(std::string_view start);
  void resize(unsigned short rows, unsigned short columns) const;
  /// As when the window is closed. Waits for the program's end.
  void hang_up();

 private:
  int pid_ = -1;
  int terminal_ = -1;
  std::string screen_;
};

}  // namespace metal_unlock
