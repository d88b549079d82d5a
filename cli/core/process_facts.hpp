// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace metal_unlock {

enum class ProcessState : std::uint8_t {
  missing,
  running,
  stopped,  ///< by Ctrl-Z or SIGSTOP
  ended,    ///< only its status is left, for its parent
};

/// What is known of a running process without touching it.
struct ProcessFacts {
  std::int64_t pid = 0;
  ProcessState state = ProcessState::missing;
  std::string program = {};                 ///< its file; empty where the system does not say
  bool is_same_user = true;                 ///< every identity it has is this user's
  bool waits_for_us = false;                ///< this process, its parent, and so on
  bool is_traced = false;                   ///< a debugger has it already
  bool is_open = true;                      ///< others of the same user may look into it
  bool is_native = true;                    ///< runs on this processor as it is, without a translator
  bool has_loader = true;                   ///< false: linked statically, so nothing can be loaded into it
  std::vector<std::string> libraries = {};  ///< files in its memory

  bool operator==(const ProcessFacts&) const = default;
};

enum class DebuggerKind : std::uint8_t { gdb, lldb };

/// Which processes of the same user a debugger may attach to.
enum class TraceScope : std::uint8_t { same_user, descendants, administrators, nobody };

/// What this system has for attaching to a process.
struct DebugMeans {
  DebuggerKind debugger = DebuggerKind::gdb;
  TraceScope scope = TraceScope::same_user;
  bool is_administrator = false;  ///< this process passes where only administrators do

  bool operator==(const DebugMeans&) const = default;
};

}  // namespace metal_unlock
