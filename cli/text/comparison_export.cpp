// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/text/comparison_text.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
  std::string cell = "\"";
  for (const char letter : text) {
    if (letter == '"') cell += '"';
    cell += letter;
  }
  return cell + "\"";
}

/// As many digits as it takes to read the same number back.
std::string full(std::optional<double> number) { return number ? formatted("{}", *number) : std::string{}; }

std::string csv_side(const Row& row, Side side) {
  const auto summary = summarise(row.samples(side));
  if (!summary) return ",0,,,";
  return formatted(",{},{},{},{}", summary->count, summary->median, summary->least, summary->most);
}

std::string csv_line(const Row& row) {
  const Workload& workload = row.workload;
  std::string line = csv_cell(workload.test);
  line += "," + csv_cell(workload.model);
  line += workload.model_size ? formatted(",{}", workload.model_size->count) : ",";
  line += "," + csv_cell(workload.build);
  line += workload.threads ? formatted(",{}", *workload.threads) : ",";
  line += formatted(",{}", to_text(row.unit));
  for (const Side side : all_sides) line += csv_side(row, side);
  const Comparison comparison = row.comparison().value_or(Comparison{});
  const auto interval = comparison.interval;
  line += "," + full(comparison.speedup);
  line += "," + (interval ? full(interval->low) : std::string{});
  line += "," + (interval ? full(interval->high) : std::string{});
  line += "," + full(row.host_share());
  line += "," + csv_cell(row.comparison() ? to_text(comparison.change) : std::string_view{});
  return line + "\n";
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char letter : printable(text)) {
    if (letter == '|' || letter == '\\' || letter == '<' || letter == '`' || letter == '*' || letter == '_')
      cell += '\\';
    cell += letter;
  }
  return cell;
}

std::string markdown_side(const Row& row, Side side) {
  const auto summary = summarise(row.samples(side));
  if (!summary) return "";
  return formatted("{} ({} to {}, n={})", number_text(summary->median, row.unit),
                   number_text(summary->least, row.unit), number_text(summary->most, row.unit),
                   summary->count);
}

std::string markdown_line(const Row& row) {
  const std::string description = description_of(row.workload);
  std::string what = formatted("{}, {}", row.workload.test, to_text(row.unit));
  if (!description.empty()) what += formatted(", {}", description);
  std::string line = formatted("| {} |", markdown_cell(what));
  for (const Side side : all_sides) line += formatted(" {} |", markdown_side(row, side));
  const auto comparison = row.comparison();
  const auto share = row.host_share();
  const bool has_ratio = comparison && comparison->speedup;
  line += formatted(" {} |", has_ratio ? ratio_text(*comparison->speedup) + "×" : "");
  line += formatted(" {} |", share ? share_text(*share) : "");
  return line + formatted(" {} |\n", comparison ? to_text(comparison->change) : std::string_view{});
}

}  // namespace

std::string comparison_csv(std::span<const Row> rows) {
  std::string text = "test,model,model_size,build,threads,unit";
  for (const Side side : all_sides)
    text += formatted(",{0}_samples,{0}_median,{0}_least,{0}_most", to_text(side));
  text += ",times_as_fast,times_as_fast_low,times_as_fast_high,share_of_host,verdict\n";
  for (const Row& row : rows) text += csv_line(row);
  return text;
}

std::string comparison_markdown(std::span<const Row> rows) {
  std::string text =
      "| what was run | stock | unlocked | host | times as fast | of host | verdict |\n"
      "| --- | --: | --: | --: | --: | --: | --- |\n";
  for (const Row& row : rows) text += markdown_line(row);
  return text;
}

}  // namespace metal_unlock
