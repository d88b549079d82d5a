// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"
#include "cli/core/process_facts.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What a debugger is to do: set the handoff in a process, and have it load the shim.
struct DebuggerTask {
  std::int64_t pid = 0;
  std::string handoff;
  std::string shim;
};

/// The command line of one run of the debugger, which does it all and leaves nothing behind: the script is an
/// argument, not a file.
std::vector<std::string> debugger_command(DebuggerKind kind, const DebuggerTask& task);

std::string_view program_of(DebuggerKind kind);

enum class DebuggerVerdict : std::uint8_t {
  loaded,
  busy,     ///< a thread was inside a function that must not be entered twice, each time one looked
  refused,  ///< the process's own loader did not take the library
  denied,   ///< the debugger was not let in
  gone,     ///< the process ended meanwhile
  failed,
  silent,  ///< the debugger said nothing
};

struct DebuggerOutcome {
  DebuggerVerdict verdict = DebuggerVerdict::silent;
  std::string text;  ///< the function, or the system's own words

  bool operator==(const DebuggerOutcome&) const = default;
};

/// Reads what the script prints last.
DebuggerOutcome read_debugger_outcome(std::string_view output);

/// The finding for every outcome but `loaded`.
Finding attach_failure(const ProcessFacts& process, DebuggerKind kind, const DebuggerOutcome& outcome);

}  // namespace metal_unlock
