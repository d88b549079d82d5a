// SPDX-License-Identifier: MIT
#include "cli/core/sample_json.hpp"

#include "cli/core/statistics.hpp"
#include "cli/core/text_format.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

using nlohmann::json;

/// Thrown and caught in this file only.
struct Invalid {
  std::string where;
  std::string problem;
};

/// A value in the document, and the path that leads to it: "3:" for a line, "[1].samples_ts[0]".
class Value {
 public:
  Value(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  Value at(const char* key) const {
    expect(value_.is_object(), "an object");
    const std::string path = path_.empty() || path_.ends_with(':') ? path_ + key : path_ + "." + key;
    const auto found = value_.find(key);
    if (found == value_.end()) throw Invalid{path, "is missing"};
    return {*found, path};
  }
  std::vector<Value> elements() const {
    expect(value_.is_array() && !value_.empty(), "a list with something in it");
    std::vector<Value> elements;
    for (std::size_t i = 0; i < value_.size(); ++i)
      elements.emplace_back(value_[i], formatted("{}[{}]", path_, i));
    return elements;
  }
  std::string text() const {
    expect(value_.is_string(), "a text");
    return value_.get<std::string>();
  }
  std::uint64_t count() const {
    expect(value_.is_number_unsigned(), "a whole number");
    return value_.get<std::uint64_t>();
  }
  double measurement() const {
    expect(value_.is_number() && is_measurement(value_.get<double>()), "a number that is not negative");
    return value_.get<double>();
  }
  void expect(bool holds, std::string_view expectation) const {
    if (!holds) throw Invalid{path_, formatted("is not {}", expectation)};
  }
  const json& raw() const { return value_; }

 private:
  const json& value_;
  std::string path_;
};

/// "3:14" of the last byte read; `byte` counts from one.
std::string position(std::string_view text, std::size_t byte, std::size_t first_line) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto newlines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return formatted("{}:{}", first_line + newlines, column);
}

/// Refuses what only an attack nests: every level costs memory, and a bracket is one byte.
void check_depth(std::string_view text, std::size_t first_line) {
  constexpr int deepest = 32;
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') is_in_string = !is_in_string;
    if (is_in_string) {
      if (letter == '\\') ++i;
      continue;
    }
    if (letter == '[' || letter == '{') ++depth;
    if (letter == ']' || letter == '}') --depth;
    if (depth > deepest)
      throw Invalid{position(text, i + 1, first_line), formatted("is nested deeper than {}", deepest)};
  }
}

json parse(std::string_view text, std::size_t first_line) {
  check_depth(text, first_line);
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& error) {
    throw Invalid{position(text, error.byte, first_line),
                  error.byte > text.size() ? "ends in the middle: it is cut off" : "is not valid JSON"};
  } catch (const json::out_of_range&) {
    throw Invalid{formatted("{}:1", first_line), "has a number that is too large"};
  }
}

/// Whatever describes the run and differs only where something else was chosen; not what was measured, when,
/// where and on which device, which is what a comparison is about.
std::map<std::string, std::string> settings_of(const json& row) {
  constexpr std::array<std::string_view, 18> others{
      "model_filename", "cpu_info",  "gpu_info",     "test_time",    "avg_ns",     "stddev_ns",
      "avg_ts",         "stddev_ts", "samples_ns",   "samples_ts",   "n_prompt",   "n_gen",
      "n_depth",        "n_threads", "build_commit", "build_number", "model_type", "model_size"};
  std::map<std::string, std::string> settings;
  for (const auto& [key, chosen] : row.items())
    if (std::ranges::find(others, key) == others.end())
      settings[key] = chosen.is_string() ? chosen.get<std::string>() : chosen.dump();
  return settings;
}

/// As llama-bench names it in its table.
std::string test_name(std::uint64_t prompt, std::uint64_t generated, std::uint64_t depth) {
  std::string name;
  if (prompt > 0) name = formatted("pp{}", prompt);
  if (generated > 0) name += formatted("{}tg{}", name.empty() ? "" : "+", generated);
  if (depth > 0) name += formatted(" @ d{}", depth);
  return name;
}

Series llama_bench_series(const Value& row) {
  const std::uint64_t depth = row.has("n_depth") ? row.at("n_depth").count() : 0;
  Series series;
  series.workload = {
      .test = test_name(row.at("n_prompt").count(), row.at("n_gen").count(), depth),
      .model = row.at("model_type").text(),
      .model_size = Bytes{row.at("model_size").count()},
      .build = formatted("{} ({})", row.at("build_commit").text(), row.at("build_number").count()),
      .threads = row.at("n_threads").count(),
      .settings = settings_of(row.raw())};
  row.expect(!series.workload.test.empty(), "a test: n_prompt and n_gen are both 0");
  for (const Value& sample : row.at("samples_ts").elements()) series.samples.push_back(sample.measurement());
  return series;
}

Workload mlx_workload(const Value& document) {
  Workload workload;
  if (document.has("model")) {
    const Value model = document.at("model");
    workload.model = model.raw().is_object() ? model.at("id").text() : model.text();
    if (model.has("revision")) workload.settings["revision"] = model.at("revision").text();
  }
  for (const char* name : {"mlx", "mlx_lm"})
    if (document.has("runtime") && document.at("runtime").has(name))
      workload.build += formatted("{}{} {}", workload.build.empty() ? "" : ", ", name,
                                  document.at("runtime").at(name).text());
  if (document.has("configuration"))
    for (const auto& [key, chosen] : document.at("configuration").raw().items())
      workload.settings[key] = chosen.dump();
  return workload;
}

void add_mlx_series(const Value& document, std::vector<Series>& all) {
  const Workload workload = mlx_workload(document);
  const auto add = [&](std::string test, const Value& speed) {
    Series series{workload, Unit::tokens_per_second, {speed.measurement()}};
    series.workload.test = std::move(test);
    add_series(all, std::move(series));
  };
  for (const Value& sample : document.at("samples").elements()) {
    add(formatted("pp{}", sample.at("prompt_tokens").count()), sample.at("prompt_tps"));
    add(formatted("tg{}", sample.at("generation_tokens").count()), sample.at("generation_tps"));
  }
}

Series own_series(const Value& row, const Value& samples) {
  Series series;
  series.workload = {.test = row.at("test").text(),
                     .model = row.at("model").text(),
                     .model_size = std::nullopt,
                     .build = row.at("build").text(),
                     .threads = std::nullopt,
                     .settings = {}};
  if (!row.at("model_size").raw().is_null()) series.workload.model_size = Bytes{row.at("model_size").count()};
  if (!row.at("threads").raw().is_null()) series.workload.threads = row.at("threads").count();
  for (const auto& [key, chosen] : row.at("settings").raw().items())
    series.workload.settings[key] = Value{chosen, "settings." + key}.text();
  const std::string unit = row.at("unit").text();
  row.at("unit").expect(unit == to_text(Unit::seconds) || unit == to_text(Unit::tokens_per_second),
                        "'s' or 'tokens/s'");
  series.unit = unit == to_text(Unit::seconds) ? Unit::seconds : Unit::tokens_per_second;
  for (const Value& sample : samples.elements()) series.samples.push_back(sample.measurement());
  return series;
}

/// A file measured on the host has its samples under "host" or, where `bench` ran there, under "stock".
void add_own_series(const Value& document, Side side, std::vector<Series>& all) {
  document.at("schema").expect(document.at("schema").raw() == 1, "1, the schema that is known here");
  for (const Value& row : document.at("rows").elements()) {
    const std::string name{to_text(side)};
    const char* key = side == Side::host && !row.has("host") ? "stock" : name.c_str();
    add_series(all, own_series(row, row.at(key).at("samples")));
  }
}

SampleFormat format_of(const Value& document) {
  document.expect(document.raw().is_object(), "an object");
  const bool is_llama_bench = document.has("samples_ts");
  const bool is_mlx = document.has("samples");
  const bool is_own = document.has("rows");
  if (is_llama_bench && !is_mlx && !is_own) return SampleFormat::llama_bench;
  if (is_mlx && !is_llama_bench && !is_own) return SampleFormat::mlx_lm;
  if (is_own && !is_llama_bench && !is_mlx) return SampleFormat::own;
  document.expect(false, is_llama_bench || is_mlx || is_own ? "of one form: it has keys of several"
                                                            : "of a known form: no samples are in it");
  return {};
}

/// Collects documents, which must all be of one form.
class Collection {
 public:
  explicit Collection(Side side) : side_(side) {}

  void add(const Value& document) {
    const SampleFormat format = format_of(document);
    if (!all_.series.empty())
      document.expect(format == all_.format, formatted("{}, as what is before it is", to_text(all_.format)));
    all_.format = format;
    if (format == SampleFormat::llama_bench)
      add_series(all_.series, llama_bench_series(document));
    else if (format == SampleFormat::mlx_lm)
      add_mlx_series(document, all_.series);
    else
      add_own_series(document, side_, all_.series);
  }
  Measurements take() { return std::move(all_); }

 private:
  Side side_;
  Measurements all_;
};

std::string_view first_line_of(std::string_view text) { return text.substr(0, text.find('\n')); }

bool is_whole_object(std::string_view line) { return json::accept(line.begin(), line.end()); }

/// One document on each line; the number of a line is in the position.
void add_lines(std::string_view text, std::size_t number, Collection& collection) {
  for (; !text.empty(); ++number) {
    const std::string_view line = first_line_of(text);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json document = parse(line, number);
    collection.add(Value{document, formatted("{}:", number)});
  }
}

Measurements read_all(std::string_view text, Side side) {
  Collection collection{side};
  const std::string_view blank = text.substr(0, text.find_first_of("[{"));
  const auto first_line = static_cast<std::size_t>(std::ranges::count(blank, '\n')) + 1;
  text.remove_prefix(blank.size());
  check_depth(text, first_line);
  if (text.front() == '{' && is_whole_object(first_line_of(text))) {
    add_lines(text, first_line, collection);
    return collection.take();
  }
  const json document = parse(text, first_line);
  if (document.is_array())
    for (const Value& row : Value{document, ""}.elements()) collection.add(row);
  else
    collection.add(Value{document, ""});
  return collection.take();
}

}  // namespace

Finding invalid_samples(std::string_view name, std::string_view where, std::string_view problem) {
  return {FindingId::samples_invalid, formatted("{}{}{} {}", name, where.empty() ? "" : ":", where, problem),
          "give llama-bench -o json or jsonl, MLX-LM JSON with samples, or a log with timing lines"};
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
}

Result<Measurements> read_sample_json(std::string_view text, std::string_view name, Side side) {
  try {
    return read_all(text, side);
  } catch (const Invalid& invalid) {
    return invalid_samples(name, invalid.where, invalid.problem);
  }
}

}  // namespace metal_unlock
