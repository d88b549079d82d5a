// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"
#include "cli/core/bench_run.hpp"
#include "cli/core/pairing.hpp"
#include "cli/platform/system.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace metal_unlock {

/// A folder with everything that somebody else needs to check a comparison. It is made before the first run,
/// so that none is lost for want of a place; SHA256SUMS comes last, so a folder without it is unfinished.
class EvidenceFolder {
 public:
  /// No folder is wanted where `path` is empty; then nothing is ever written.
  static Result<EvidenceFolder> begin(System& system, const std::string& path);

  bool is_wanted() const { return !folder_.empty(); }
  /// The absolute path of the file to which the shim reports from a run; empty where none is wanted.
  std::string report_of(const Turn& turn) const;

  void add(System& system, const std::string& name, std::string_view text);
  /// Begins the report of an unlocked run with what was decided; the shim adds what it does.
  void begin_run(System& system, const Turn& turn, const Launch& launch);
  /// What a run left.
  void add_run(System& system, const Turn& turn, const Launch& launch, const Finished& finished);
  /// The results and what they rest on.
  void add_results(System& system, const Pairing& pairing, const std::string& json);
  void add_facts(System& system, const Launch& launch, const std::vector<std::string>& command,
                 const std::string& model, const MachineState& state);
  /// Writes SHA256SUMS. The finding says what could not be written, and is the first of all.
  std::optional<Finding> finish(System& system);

 private:
  void add_sum(System& system, const std::string& name);

  std::string folder_;
  std::string commands_;
  std::vector<std::string> names_;
  std::optional<Finding> fault_;
};

}  // namespace metal_unlock
