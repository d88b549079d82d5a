// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bench_run.hpp"
#include "cli/core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// The command as `bench` runs it, and what was done to it.
struct BenchTarget {
  std::vector<std::string> words;
  std::string program;  ///< the last part of the first word
  bool is_llama_bench = false;
  bool has_added_output = false;  ///< "-o jsonl" was added so that it prints its samples
  std::string model;              ///< the file given by -m or --model; empty: none
};

/// A llama-bench that is told to print something without samples is a usage finding.
Result<BenchTarget> bench_target(std::vector<std::string> words);

/// The samples that a run printed, else its times; a samples-invalid finding where it began to print samples
/// and they are broken, or where llama-bench printed none.
Result<Measurements> measurements_of(const BenchTarget& target, const Finished& finished, const Turn& turn);

}  // namespace metal_unlock
