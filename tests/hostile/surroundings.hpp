// SPDX-License-Identifier: MIT
#pragma once

#include "tests/cli/sandbox.hpp"

#include <csignal>
#include <initializer_list>
#include <sys/resource.h>

namespace metal_unlock {

/// `metal-unlock WORDS…`
Words metal_unlock_words(Words words);

/// `metal-unlock run OPTIONS… -- metal-caps --json`
Words caps_words(const Words& options = {});

/// What metal-caps printed: the highest Apple family; 0 where it printed nothing.
int highest_family(const Outcome& outcome);

inline constexpr int stock_family = 1005;
inline constexpr int unlocked_family = 1007;

/// Blocks signals in this thread, and so in what it starts, for as long as it lives.
class SignalsBlocked {
 public:
  SignalsBlocked(std::initializer_list<int> numbers);
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// Changes a soft limit of this process, and so of what it starts, for as long as it lives.
class LimitChanged {
 public:
  LimitChanged(int resource, rlim_t limit);
  ~LimitChanged();
  LimitChanged(const LimitChanged&) = delete;
  LimitChanged& operator=(const LimitChanged&) = delete;
  explicit operator bool() const { return is_changed_; }

 private:
  int resource_;
  rlimit before_{};
  bool is_changed_;
};

/// Starts a command as another user than root.
Words as_another_user(const Words& argv);

}  // namespace metal_unlock
