// SPDX-License-Identifier: MIT
#pragma once

#include "tests/cli/sandbox.hpp"
#include "tests/hostile/fault_board.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace metal_unlock {

/// One way in which a call can go wrong.
struct Fault {
  FaultKind kind = FaultKind::failure;
  int error = 0;
};

/// A full disk, a broken one, a read-only one, no permission, no descriptor left, a signal in between, a
/// write that takes half, and the end of the process.
const std::vector<Fault>& all_faults();
std::string name_of(const Fault& fault);

/// One start in which one call went wrong.
struct Struck {
  Fault fault;
  std::string call;
  std::unique_ptr<Sandbox> sandbox;
  Outcome outcome;
};

/// A command that writes, and what it needs.
struct Writer {
  std::function<std::unique_ptr<Sandbox>()> surroundings;
  std::function<Words(const Sandbox&)> argv;
  std::string start = {};  ///< counting begins with the first path that holds this text
};

/// Starts the command once for each fault and each call that can have it, until none is left; each start
/// finds surroundings of its own. Fails the test where a kill meets fewer than `fewest` calls, or another
/// fault hardly any. How many faults were injected is printed when the program ends.
std::vector<Struck> starts_with_faults(const Writer& writer, const std::vector<Fault>& faults, int fewest);

/// The files below a folder that are in the making.
Words parts_below(const std::filesystem::path& folder);

}  // namespace metal_unlock
