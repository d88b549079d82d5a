// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bench_run.hpp"
#include "cli/core/guest_report.hpp"
#include "cli/core/pairing.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace metal_unlock {

/// What `compare --json` prints: schema 1, every sample of every row, the statistics, and what has no
/// partner.
std::string comparison_json(const Pairing& pairing);

/// What `bench --json` prints: the same, and every run with its times and why it does not count.
std::string bench_json(const Pairing& pairing, std::span<const BenchRun> runs, bool is_complete);

/// What an evidence folder says about where it was measured.
struct EvidenceFacts {
  std::string version;  ///< of this program
  Machine machine;
  MachineState state;
  std::vector<std::string> command;                            ///< as it was run
  std::vector<std::pair<std::string, std::string>> variables;  ///< of the environment, as far as they matter
  std::vector<std::pair<std::string, std::string>> hashes;     ///< SHA-256 of files, by what they are
};

std::string evidence_json(const EvidenceFacts& facts);

}  // namespace metal_unlock
