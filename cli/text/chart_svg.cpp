// SPDX-License-Identifier: MIT
#include "cli/text/chart_svg.hpp"

#include "cli/core/text_format.hpp"
#include "cli/core/xml_text.hpp"
#include "cli/text/comparison_text.hpp"
#include "cli/text/printable.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

// All lengths are in pixels.
constexpr int chart_width = 760;
constexpr int margin = 24;
constexpr int title_height = 64;
constexpr int heading_height = 52;
constexpr int side_height = 30;
constexpr int bar_height = 18;
constexpr int panel_gap = 22;
constexpr int footer_height = 34;
constexpr int bars_left = 144;
constexpr int bars_right = 520;

constexpr std::string_view style_sheet = R"(
  .ground { fill: #ffffff; } .frame { stroke: #d0d7de; fill: none; }
  text { fill: #1f2328; font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 13px; }
  .title { font-size: 18px; font-weight: 600; } .test { font-size: 15px; font-weight: 600; }
  .faint { fill: #59636e; font-size: 12px; font-weight: 400; } .right { text-anchor: end; } .number { font-variant-numeric: tabular-nums; }
  .stock { fill: #8c959f; } .unlocked { fill: #2f6feb; } .host { fill: #1a9c6b; }
  .base { stroke: #d0d7de; } .whisker { stroke: #1f2328; stroke-width: 1.5; } .outlier { fill: #ffffff; stroke: #1f2328; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } .frame { stroke: #3d444d; } text { fill: #f0f6fc; } .faint { fill: #9198a1; }
    .stock { fill: #6e7681; } .unlocked { fill: #4d8dff; } .host { fill: #2bb37f; }
    .base { stroke: #3d444d; } .whisker { stroke: #f0f6fc; } .outlier { fill: #0d1117; stroke: #f0f6fc; }
  }
)";

std::string svg_text(std::string_view text) { return xml_text(printable(text)); }

/// As many letters as have room.
std::string shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string{text};
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string{text.substr(0, end)} + "…";
}

std::string text_at(int x, int y, std::string_view classes, std::string_view text) {
  return formatted("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, classes, svg_text(text));
}

/// Where a number stands on a panel's scale, which begins at 0.
double place(double number, double longest) {
  const double share = longest > 0 ? number / longest : 0;
  return bars_left + share * (bars_right - bars_left);
}

std::string vertical(double x, double top, double bottom) {
  return formatted("<path class=\"whisker\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x, top, bottom);
}

std::string whisker(const Summary& summary, double longest, int top) {
  const double middle = top + bar_height / 2.0;
  const double left = place(summary.least, longest);
  const double right = place(summary.most, longest);
  std::string text =
      formatted("<path class=\"whisker\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, middle, right);
  text += vertical(left, middle - 5, middle + 5) + vertical(right, middle - 5, middle + 5);
  for (const double outlier : summary.outliers)
    text += formatted("<circle class=\"outlier\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n",
                      place(outlier, longest), middle);
  return text;
}

std::string side_text(Side side, const Summary& summary, Unit unit, double longest, int top) {
  const std::string_view name = to_text(side);
  const double length = std::max(1.0, place(summary.median, longest) - bars_left);
  std::string text = formatted("<text x=\"{}\" y=\"{}\">{} <tspan class=\"faint\">n={}</tspan></text>\n",
                               margin, top + 14, name, summary.count);
  text += formatted("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>\n", name,
                    bars_left, top, length, bar_height);
  text += whisker(summary, longest, top);
  text += formatted(
      "<text x=\"{}\" y=\"{}\" class=\"right number\">{} <tspan class=\"faint\">{} to {}</tspan></text>\n",
      chart_width - margin, top + 14, number_text(summary.median, unit), number_text(summary.least, unit),
      number_text(summary.most, unit));
  return text;
}

int panel_height(const Row& row) {
  return heading_height + static_cast<int>(summaries_of(row).size()) * side_height + panel_gap;
}

std::string panel(const Row& row, int top) {
  const std::vector<SideSummary> sides = summaries_of(row);
  const std::string_view unit =
      row.better() == Better::more ? "tokens per second" : "seconds, less is better";
  const Style plain{Terminal{.is_terminal = false, .has_colour = false, .has_unicode = true}};
  const double longest = most_of(sides);
  std::string text =
      formatted("<text x=\"{}\" y=\"{}\" class=\"test\">{} <tspan class=\"faint\">{}</tspan></text>\n",
                margin, top + 16, svg_text(shortened(row.workload.test, 24)), unit);
  text += text_at(chart_width - margin, top + 16, "right", verdict_text(row, plain));
  text += text_at(margin, top + 36, "faint", shortened(description_of(row.workload), 104));
  int line = top + heading_height;
  const int bottom = line + static_cast<int>(sides.size()) * side_height - 6;
  text += formatted("<path class=\"base\" d=\"M{0} {1}V{2}\"/>\n", bars_left, line - 4, bottom);
  for (const auto& [side, summary] : sides) {
    text += side_text(side, summary, row.unit, longest, line);
    line += side_height;
  }
  return text;
}

}  // namespace

std::string chart_svg(std::span<const Row> rows) {
  int height = title_height + footer_height;
  for (const Row& row : rows) height += panel_height(row);
  std::string text = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\">\n"
      "<title>Stock and unlocked runs compared</title>\n<style>{2}</style>\n"
      "<rect class=\"ground\" width=\"{0}\" height=\"{1}\"/>\n"
      "<rect class=\"frame\" x=\"0.5\" y=\"0.5\" width=\"{3}\" height=\"{4}\" rx=\"6\"/>\n",
      chart_width, height, style_sheet, chart_width - 1, height - 1);
  text += text_at(margin, 40, "title", "Stock and unlocked runs compared");
  int top = title_height;
  for (const Row& row : rows) {
    text += panel(row, top);
    top += panel_height(row);
  }
  text += text_at(
      margin, height - 16, "faint",
      "bar: median; whisker: least to most sample; circle: a sample far out; each panel has its own scale");
  return text + "</svg>\n";
}

}  // namespace metal_unlock
