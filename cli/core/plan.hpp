// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/capabilities.hpp"
#include "cli/core/environment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// How this system's loader is told to load a library into a program.
struct Loader {
  std::string preload_variable;  ///< LD_PRELOAD, DYLD_INSERT_LIBRARIES
  std::string separators;        ///< characters that end an entry of it, the first one is written
  std::string shim_name;         ///< file name by which our own entry is recognised
  std::string metal;             ///< absolute path of Metal; empty: the shim opens none
  std::string expanded = {};     ///< characters after which it replaces names in an entry
  std::vector<std::string> shim_slices = {};  ///< architectures that a universal shim has: "x86_64", "arm64",
                                              ///< "arm64e"; empty: it has one, this machine's own

  bool operator==(const Loader&) const = default;
};

/// Which processes the shim acts in, and what else it is told.
struct Scope {
  bool children = false;  ///< keep the unlock for processes that the target starts
  bool is_target =
      true;              ///< the shim lands in the target itself; false: in the programs of a shell's session
  bool require = false;  ///< the shim ends the process when an override is not effective
  bool log = false;      ///< the shim says on stderr what it did
  bool attached = false;        ///< it is loaded into a process that runs already
  bool beyond_host = false;     ///< recorded in the shim's report
  std::string report;           ///< absolute path of the file for the shim's report; empty: none
  int watch = -1;               ///< descriptor of whoever listens for the shim; -1: nobody
  Capabilities simulated = {};  ///< answers of a smaller GPU, to questions that are not claimed

  bool operator==(const Scope&) const = default;
};

/// The finished decision.
struct Plan {
  std::string file;
  std::vector<std::string> argv;
  EnvironmentChange change;

  bool operator==(const Plan&) const = default;
};

/// The text of the handoff variable; shim/handoff.hpp defines the form.
std::string handoff_text(const Capabilities& granted, const Scope& scope, const Loader& loader);

/// Ours first and once, every other entry kept in order.
std::string preload_with(std::string_view preload, std::string_view shim, const Loader& loader);

/// Whether a path can be an entry of the preload variable at all.
bool fits_preload(std::string_view path, const Loader& loader);

/// The change that unlocks the target; an outer `run` is replaced.
EnvironmentChange unlocking_change(const Environment& environment, const Loader& loader,
                                   std::string_view shim, std::string_view handoff);

/// The change that starts the target stock: empty unless an outer `run --children` left its entry behind.
EnvironmentChange stock_change(const Environment& environment, const Loader& loader);

}  // namespace metal_unlock
