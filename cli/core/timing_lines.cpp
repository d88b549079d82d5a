// SPDX-License-Identifier: MIT
#include "cli/core/timing_lines.hpp"

#include "cli/core/sample_json.hpp"
#include "cli/core/statistics.hpp"
#include "cli/core/text_format.hpp"

#include <cctype>
#include <cstdlib>
#include <type_traits>

namespace metal_unlock {
namespace {

/// What a log says so far about the runs in it.
struct Log {
  Workload common;
  std::vector<Series> series;
  std::uint64_t prompt_tokens = 0;  ///< by Ollama, which counts in a line of its own
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What follows `key` and blanks in the line; nothing where the key is not there.
std::optional<std::string_view> after(std::string_view line, std::string_view key) {
  const std::size_t place = line.find(key);
  if (place == std::string_view::npos) return std::nullopt;
  return without_blanks(line.substr(place + key.size()));
}

/// Takes a number and the words after it off the front of a line; nothing where they are not there.
template <class Number>
std::optional<Number> take(std::string_view& line, std::string_view words_after) {
  line = without_blanks(line);
  const std::string word{line.substr(0, line.find_first_of(" \t,("))};
  if (word.empty()) return std::nullopt;
  // Not from_chars: Apple's library has none for a double. No locale is ever set in this program.
  char* end = nullptr;
  Number number{};
  if constexpr (std::is_floating_point_v<Number>)
    number = std::strtod(word.c_str(), &end);
  else
    number = std::isdigit(static_cast<unsigned char>(word.front())) != 0
                 ? std::strtoull(word.c_str(), &end, 10)
                 : Number{};
  if (end != word.c_str() + word.size()) return std::nullopt;
  line = without_blanks(line.substr(word.size()));
  if (!line.starts_with(words_after)) return std::nullopt;
  line.remove_prefix(words_after.size());
  return number;
}

struct Timing {
  std::uint64_t tokens = 0;
  double speed = 0;
};

/// "925.78 ms / 24 tokens ( 38.57 ms per token, 25.93 tokens per second)", and "runs" for tokens.
std::optional<Timing> llama_timing(std::string_view line) {
  if (!take<double>(line, "ms /")) return std::nullopt;
  std::string_view as_runs = line;
  auto tokens = take<std::uint64_t>(line, "tokens (");
  if (!tokens) {
    line = as_runs;
    tokens = take<std::uint64_t>(line, "runs");
    line = without_blanks(line);
    if (!tokens || !line.starts_with('(')) return std::nullopt;
    line.remove_prefix(1);
  }
  if (!take<double>(line, "ms per token,")) return std::nullopt;
  const auto speed = take<double>(line, "tokens per second)");
  if (!speed) return std::nullopt;
  return Timing{*tokens, *speed};
}

void add(Log& log, std::string test, double speed) {
  Series series{log.common, Unit::tokens_per_second, {speed}};
  series.workload.test = std::move(test);
  add_series(log.series, std::move(series));
}

/// A count of new tokens is left out of the name: it differs from run to run where the program decides when
/// to stop, and the speed hardly depends on it.
constexpr std::string_view generation = "tg";

/// False where the line begins as a timing and is none. The speed of a part that did nothing is no sample.
bool read_llama_line(std::string_view line, Log& log) {
  const auto prompt = after(line, "prompt eval time =");
  const auto rest = prompt ? prompt : after(line, " eval time =");
  if (!rest) return true;
  const auto timing = llama_timing(*rest);
  if (!timing) return false;
  // Where nothing was evaluated llama.cpp divides by zero and prints "nan" or "inf".
  if (timing->tokens == 0 || !is_measurement(timing->speed)) return true;
  add(log, prompt ? formatted("pp{}", timing->tokens) : std::string{generation}, timing->speed);
  return true;
}

bool read_ollama_line(std::string_view line, Log& log) {
  line = without_blanks(line);
  if (line.starts_with("prompt eval count:")) {
    std::string_view rest = line.substr(line.find(':') + 1);
    const auto tokens = take<std::uint64_t>(rest, "token(s)");
    if (tokens) log.prompt_tokens = *tokens;
    return tokens.has_value();
  }
  const bool is_prompt = line.starts_with("prompt eval rate:");
  if (!is_prompt && !line.starts_with("eval rate:")) return true;
  std::string_view rest = line.substr(line.find(':') + 1);
  const auto speed = take<double>(rest, "tokens/s");
  if (!speed || !is_measurement(*speed)) return false;
  add(log, is_prompt ? formatted("pp{}", log.prompt_tokens) : std::string{generation}, *speed);
  return true;
}

/// Lines before the timings that say what is run.
void read_description(std::string_view line, Log& log) {
  if (line.starts_with("build: ")) log.common.build = without_blanks(line.substr(7));
  if (const auto name = after(line, "general.name")) {
    const std::size_t equals = name->find('=');
    if (equals != std::string_view::npos) log.common.model = without_blanks(name->substr(equals + 1));
  }
  if (auto threads = after(line, "system_info: n_threads ="))
    log.common.threads = take<std::uint64_t>(*threads, "");
}

}  // namespace

Result<std::vector<Series>> read_timing_lines(std::string_view text, std::string_view name) {
  Log log;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    read_description(line, log);
    if (!read_llama_line(line, log) || !read_ollama_line(line, log))
      return invalid_samples(name, formatted("{}", number), "begins as a timing line and is none");
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return log.series;
}

}  // namespace metal_unlock
