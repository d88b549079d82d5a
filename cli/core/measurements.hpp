// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bytes.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What was run. Only series of the same workload are ever compared.
struct Workload {
  std::string test;                             ///< "pp512", "tg128 @ d4096", "wall time"
  std::string model;                            ///< empty where the source does not say
  std::optional<Bytes> model_size;              ///< of the weights
  std::string build;                            ///< of the program that ran it
  std::optional<std::uint64_t> threads;         ///< on the CPU
  std::map<std::string, std::string> settings;  ///< everything else that was chosen

  bool operator==(const Workload&) const = default;
};

enum class Unit : std::uint8_t { tokens_per_second, seconds };

/// The samples of one workload, in the order in which they were taken.
struct Series {
  Workload workload;
  Unit unit = Unit::tokens_per_second;
  std::vector<double> samples;

  bool operator==(const Series&) const = default;
};

enum class SampleFormat : std::uint8_t { llama_bench, mlx_lm, timing_lines, own, times };

std::string_view to_text(SampleFormat format);
std::string_view to_text(Unit unit);

struct Measurements {
  SampleFormat format = SampleFormat::times;
  std::vector<Series> series;  ///< no two of the same workload
};

/// Which part a file plays; our own files hold more than one.
enum class Side : std::uint8_t { stock, unlocked, host };

inline constexpr Side all_sides[] = {Side::stock, Side::unlocked, Side::host};

std::string_view to_text(Side side);

/// No file of samples that is worth comparing is larger.
inline constexpr Bytes largest_sample_file{std::uint64_t{8} * 1024 * 1024};

/// Reads llama-bench's JSON or JSON lines, MLX-LM's JSON with `samples`, logs with timing lines of llama.cpp
/// or Ollama, and what `bench --json` and `compare --json` print. Strict: a file that is broken, cut off,
/// empty, of two forms at once, or without a sample is a samples-invalid finding with `name` and the
/// position. Never throws.
Result<Measurements> read_measurements(std::string_view text, std::string_view name, Side side);

/// Adds a series, or its samples to the series of the same workload that is there.
void add_series(std::vector<Series>& all, Series series);

}  // namespace metal_unlock
