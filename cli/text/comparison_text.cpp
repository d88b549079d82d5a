// SPDX-License-Identifier: MIT
#include "cli/text/comparison_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

/// What a bar is drawn with: up to the least sample, on to the median, on to the most.
struct BarLetters {
  std::string_view least;
  std::string_view median;
  std::string_view most;
};

BarLetters bar_letters(const Style& style) {
  return style.has_unicode() ? BarLetters{"█", "▓", "░"} : BarLetters{"#", "=", "-"};
}

std::string bar_text(const Summary& summary, double longest, std::size_t width, const BarLetters& letters) {
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(width) * longest;
    if (place > summary.most && i > 0) break;
    bar += place <= summary.least ? letters.least : place <= summary.median ? letters.median : letters.most;
  }
  return bar;
}

std::string heading(const Row& row, const std::string& description, const Style& style) {
  std::string text = style.bold(printable(row.workload.test));
  text += style.dim(row.better() == Better::more ? "  tokens/s" : "  seconds, less is better");
  if (!description.empty()) text += style.dim(formatted("  {}", printable(description)));
  return text + "\n";
}

std::string range_text(const Summary& summary, Unit unit) {
  return formatted("{} to {}", number_text(summary.least, unit), number_text(summary.most, unit));
}

/// Everything of a side but its bar.
std::vector<std::string> cells(std::string_view name, const Summary& summary, Unit unit) {
  return {formatted("  {}", name), number_text(summary.median, unit), range_text(summary, unit),
          summary.relative_range ? formatted("{:.1f} %", *summary.relative_range * 100) : "",
          formatted("n={}", summary.count)};
}

std::size_t width_of(const std::vector<std::vector<std::string>>& lines, std::size_t column) {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, shown_width(line[column]));
  return width;
}

void align_right(std::vector<std::vector<std::string>>& lines, std::size_t column) {
  const std::size_t width = width_of(lines, column);
  for (auto& line : lines) line[column].insert(0, width - shown_width(line[column]), ' ');
}

/// Columns that are left for a bar; none where that is too little to see anything.
std::size_t bar_width(const std::vector<std::vector<std::string>>& lines, int width) {
  constexpr std::size_t shortest = 8;
  constexpr std::size_t longest = 40;
  std::size_t taken = 0;
  for (std::size_t column = 0; column < 5; ++column) taken += width_of(lines, column) + 2;
  const auto room = static_cast<std::size_t>(std::max(width, 1));
  return room < taken + shortest ? 0 : std::min(longest, room - taken);
}

std::string outlier_lines(const Row& row, const Style& style) {
  std::string text;
  for (const auto& [side, summary] : summaries_of(row)) {
    if (summary.outliers.empty()) continue;
    std::string numbers;
    for (const double outlier : summary.outliers)
      numbers += (numbers.empty() ? "" : ", ") + number_text(outlier, row.unit);
    text += style.dim(formatted("  {} has {} far out, in the range: {}", to_text(side),
                                summary.outliers.size() == 1 ? "a sample" : "samples", numbers)) +
            "\n";
  }
  return text;
}

/// The lines of all sides of all rows, in columns of the same width.
std::vector<std::string> side_lines(std::span<const Row> rows, const Style& style, int width) {
  std::vector<std::vector<std::string>> lines;
  for (const Row& row : rows)
    for (const auto& [side, summary] : summaries_of(row))
      lines.push_back(cells(to_text(side), summary, row.unit));
  for (std::size_t column = 1; column <= 4; ++column) align_right(lines, column);
  const std::size_t room = bar_width(lines, width);
  auto line = lines.begin();
  for (const Row& row : rows) {
    const std::vector<SideSummary> sides = summaries_of(row);
    for (const auto& [side, summary] : sides)
      (line++)->push_back(bar_text(summary, most_of(sides), room, bar_letters(style)));
  }
  const std::size_t name_width = width_of(lines, 0);
  std::vector<std::string> texts;
  for (auto& cells_of_line : lines) {
    cells_of_line.front().resize(name_width, ' ');
    Table table;
    table.add_row(std::move(cells_of_line));
    texts.push_back(table.text());
  }
  return texts;
}

}  // namespace

std::string number_text(double number, Unit unit) {
  constexpr double too_long = 1e9;
  if (number >= too_long) return formatted("{:.4g}", number);
  return unit == Unit::seconds ? formatted("{:.3f}", number) : formatted("{:.2f}", number);
}

std::string ratio_text(double ratio) {
  if (ratio >= 1e6) return formatted("{:.4g}", ratio);
  return ratio < 2 ? formatted("{:.3f}", ratio) : formatted("{:.2f}", ratio);
}

std::string share_text(double share) { return formatted("{:.2f} %", share * 100); }

std::string_view to_text(Change change) {
  switch (change) {
    case Change::faster:
      return "faster";
    case Change::slower:
      return "slower";
    case Change::none_measurable:
      return "no measurable change";
    case Change::too_few_samples:
      break;
  }
  return "fewer than 3 samples, no verdict";
}

std::string verdict_text(const Row& row, const Style& style) {
  const auto comparison = row.comparison();
  if (!comparison) return {};
  const std::string_view times = style.has_unicode() ? "×" : "x";
  std::string text;
  if (comparison->speedup) text = formatted("{}{}", ratio_text(*comparison->speedup), times);
  if (comparison->interval)
    text += formatted(" (95 %: {} to {})", ratio_text(comparison->interval->low),
                      ratio_text(comparison->interval->high));
  if (const auto share = row.host_share())
    text += formatted("{}{} of the host", text.empty() ? "" : ", ", share_text(*share));
  return formatted("{}{}{}", text, text.empty() ? "" : ": ", to_text(comparison->change));
}

std::string comparison_text(std::span<const Row> rows, const Style& style, int width) {
  const std::vector<std::string> lines = side_lines(rows, style, width);
  auto line = lines.begin();
  std::string text;
  std::string described;
  for (const Row& row : rows) {
    const std::string description = description_of(row.workload);
    if (!text.empty()) text += "\n";
    text += heading(row, description == described ? std::string{} : description, style);
    described = description;
    for (std::size_t count = summaries_of(row).size(); count > 0; --count) text += *line++;
    const std::string verdict = verdict_text(row, style);
    if (!verdict.empty()) text += formatted("  {}\n", style.bold(verdict));
    text += outlier_lines(row, style);
  }
  const BarLetters letters = bar_letters(style);
  return text + "\n" +
         style.dim(formatted("median, least to most, their distance in % of the median, samples; "
                             "bars: {} to the least, {} to the median, {} to the most",
                             letters.least, letters.median, letters.most)) +
         "\n";
}

}  // namespace metal_unlock
