// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/loader_rules.hpp"
#include "cli/core/process_facts.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace metal_unlock {

/// "process 4242 ('/opt/bin/llama-server')"
std::string name_of(const ProcessFacts& process);

/// Why no debugger should be let near this process, first reason first; nothing where none is known.
/// Findings: process-unsuitable, already-loaded, attach-denied, target-architecture.
std::optional<Finding> obstacle_to_attach(const ProcessFacts& process, const DebugMeans& means,
                                          std::string_view shim_name);

/// Why macOS would refuse the debugger, or the library, judging by how the program is signed. Findings:
/// attach-denied, and the same as before a start.
std::optional<Finding> signature_obstacle(const ProcessFacts& process, const LoaderQuestion& question);

/// What the shim's report says about a process that it was loaded into.
struct AttachProof {
  bool is_loaded = false;
  bool found_metal = false;
  std::string device_class;  ///< that gives the claimed answers when it is asked by message
  std::string ineffective;   ///< the event of a device that does not
};

AttachProof read_attach_proof(std::string_view report);

/// Why the process is not unlocked though the library is in it; nothing where it is.
std::optional<Finding> missing_effect(const ProcessFacts& process, const AttachProof& proof);

}  // namespace metal_unlock
