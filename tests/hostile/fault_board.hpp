// SPDX-License-Identifier: MIT
#pragma once

// What the fault library and the test that uses it share: a mapped file, seen by every process of one start.

namespace metal_unlock {

/// What happens to the call.
enum class FaultKind : int { nothing, failure, short_write, kill };

struct FaultBoard {
  int wanted;      ///< the number of the call that goes wrong; the first one is 1
  int kind;        ///< a FaultKind
  int error;       ///< errno of a failure
  int calls;       ///< how many calls were counted
  int struck;      ///< how many went wrong
  char start[64];  ///< counting begins with the first path that holds this text
  char call[64];   ///< what went wrong, for the reader of a test's output
};

/// The variable that names the file.
inline constexpr char fault_board_variable[] = "HOSTILE_TEST_FAULT_BOARD";

}  // namespace metal_unlock
