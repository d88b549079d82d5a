// SPDX-License-Identifier: MIT
#include "cli/commands/bench_target.hpp"

#include "cli/core/sample_json.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/timing_lines.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace metal_unlock {
namespace {

/// The last argument of an option in one of its spellings, "-o json" or "--output=json".
std::optional<std::string> argument_of(const std::vector<std::string>& words,
                                       std::span<const std::string_view> names) {
  std::optional<std::string> argument;
  for (std::size_t i = 1; i < words.size(); ++i)
    for (const std::string_view name : names) {
      if (words[i] == name && i + 1 < words.size()) argument = words[i + 1];
      if (name.starts_with("--") && words[i].starts_with(formatted("{}=", name)))
        argument = words[i].substr(name.size() + 1);
    }
  return argument;
}

}  // namespace

Result<BenchTarget> bench_target(std::vector<std::string> words) {
  constexpr std::array<std::string_view, 2> output_names{"-o", "--output"};
  constexpr std::array<std::string_view, 2> model_names{"-m", "--model"};
  BenchTarget target;
  const std::string& first = words.front();
  target.program = first.substr(first.rfind('/') + 1);
  target.is_llama_bench = target.program == "llama-bench";
  target.model = argument_of(words, model_names).value_or("");
  target.words = std::move(words);
  if (!target.is_llama_bench) return target;
  const auto output = argument_of(target.words, output_names);
  if (output && *output != "json" && *output != "jsonl")
    return Finding{FindingId::usage, formatted("llama-bench prints no samples with '-o {}'", *output),
                   "leave it out, or use -o json"};
  if (!output) {
    target.words.insert(target.words.end(), {"-o", "jsonl"});
    target.has_added_output = true;
  }
  return target;
}

Result<Measurements> measurements_of(const BenchTarget& target, const Finished& finished, const Turn& turn) {
  const std::string name = name_of(turn);
  if (looks_like_json(finished.output)) {
    Result<Measurements> samples = read_sample_json(finished.output, name, turn.side);
    if (samples || target.is_llama_bench) return samples;
  }
  if (target.is_llama_bench) return invalid_samples(name, "", "printed no samples");
  Result<std::vector<Series>> lines = read_timing_lines(finished.output + "\n" + finished.errors, name);
  if (!lines) return lines.finding();
  if (!lines->empty()) return Measurements{SampleFormat::timing_lines, *std::move(lines)};
  return times_of(finished, target.program);
}

}  // namespace metal_unlock
