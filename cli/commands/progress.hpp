// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <algorithm>
#include <string>

namespace metal_unlock {

/// One line on a terminal that is written over and over, and gone in the end.
class Progress {
 public:
  explicit Progress(System& system, bool is_wanted = true)
      : system_(system), is_shown_(is_wanted && system.terminal(Stream::err).is_terminal) {}
  ~Progress() { show(""); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& text) {
    if (!is_shown_) return;
    const std::size_t rest = shown_.size() - std::min(shown_.size(), text.size());
    system_.write(Stream::err, "\r" + text + std::string(rest, ' ') + (text.empty() ? "\r" : ""));
    shown_ = text;
  }

 private:
  System& system_;
  bool is_shown_;
  std::string shown_;
};

}  // namespace metal_unlock
