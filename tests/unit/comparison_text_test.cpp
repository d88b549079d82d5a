// SPDX-License-Identifier: MIT
#include "cli/text/comparison_text.hpp"

#include "cli/text/chart_svg.hpp"
#include "cli/text/comparison_json.hpp"
#include "tests/catch.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"

using namespace metal_unlock;

namespace {

const Style ascii;
const Style unicode{Terminal{.is_terminal = false, .has_colour = false, .has_unicode = true}};

Row row_of(std::vector<double> stock, std::vector<double> unlocked, std::vector<double> host = {}) {
  return {
      {.test = "pp512", .model = "M", .model_size = Bytes{1024}, .build = "b", .threads = 8, .settings = {}},
      Unit::tokens_per_second,
      std::move(stock),
      std::move(unlocked),
      std::move(host)};
}

std::string table(const std::vector<Row>& rows, const Style& style = ascii, int width = 100) {
  return comparison_text(rows, style, width);
}

}  // namespace

TEST_CASE("numbers are as long as they must be") {
  CHECK(number_text(4786.7, Unit::tokens_per_second) == "4786.70");
  CHECK(number_text(0.1234, Unit::seconds) == "0.123");
  CHECK(number_text(1e308, Unit::tokens_per_second) == "1e+308");
  CHECK(ratio_text(11.0839) == "11.08");
  CHECK(ratio_text(1.00538) == "1.005");
  CHECK(ratio_text(1e12) == "1e+12");
  CHECK(share_text(0.982494) == "98.25 %");
}

TEST_CASE("a verdict for each change") {
  CHECK(verdict_text(row_of({1, 1, 1}, {10, 10, 10}, {20}), ascii) ==
        "10.00x (95 %: 10.00 to 10.00), 50.00 % of the host: faster");
  CHECK(verdict_text(row_of({1, 1, 1}, {10, 10, 10}), unicode) == "10.00× (95 %: 10.00 to 10.00): faster");
  CHECK(verdict_text(row_of({10, 10, 10}, {1, 1, 1}), ascii) == "0.100x (95 %: 0.100 to 0.100): slower");
  CHECK(verdict_text(row_of({2, 2, 2}, {2, 2, 2}), ascii) ==
        "1.000x (95 %: 1.000 to 1.000): no measurable change");
  CHECK(verdict_text(row_of({1, 1}, {10, 10}), ascii) == "10.00x: fewer than 3 samples, no verdict");
  CHECK(verdict_text(row_of({0, 0, 0}, {1, 1, 1}), ascii) == "faster");
  CHECK(verdict_text(row_of({1, 1, 1}, {}), ascii).empty());
}

TEST_CASE("the table of a row, line by line") {
  CHECK(table({row_of({10, 10, 20}, {40, 40, 40})}, ascii, 69) ==
        "pp512  tokens/s  M, 1 KiB, build b, 8 threads\n"
        "  stock     10.00  10.00 to 20.00  100.0 %  n=3  #####-----\n"
        "  unlocked  40.00  40.00 to 40.00    0.0 %  n=3  ####################\n"
        "  4.00x (95 %: 2.00 to 4.00): faster\n\n"
        "median, least to most, their distance in % of the median, samples; bars: # to the least, = to the "
        "median, - to "
        "the most\n");
}

TEST_CASE("bars fit the terminal, and vanish where there is no room") {
  for (const int width : {20, 40, 60, 80, 100, 200}) {
    CAPTURE(width);
    const std::string text = table({row_of({10, 10, 20}, {40, 40, 40})}, ascii, width);
    CHECK(holds(text, "##") == (width >= 60));
    const std::size_t line = text.find("  unlocked");
    const std::size_t length = text.find('\n', line) - line;
    CHECK(length <= static_cast<std::size_t>(std::max(width, 49)));
  }
  CHECK(holds(table({row_of({1}, {2})}, unicode), "█"));
  CHECK_FALSE(holds(table({row_of({1}, {2})}, ascii), "█"));
}

TEST_CASE("a description is printed once for rows that share it") {
  Row other = row_of({1, 2, 3}, {1, 2, 3});
  other.workload.test = "tg128";
  const std::string text = table({row_of({1, 2, 3}, {1, 2, 3}), other});
  CHECK(text.find("build b") == text.rfind("build b"));
  other.workload.build = "c";
  CHECK(holds(table({row_of({1, 2, 3}, {1, 2, 3}), other}), "build c"));
}

TEST_CASE("text from a file cannot steer a terminal, a table or a drawing") {
  Row row = row_of({1, 2, 3}, {1, 2, 3});
  row.workload.test = "\x1b[31mpp|<script>&\"\n";
  CHECK_FALSE(holds(table({row}), "\x1b"));
  const std::vector<Row> rows{row};
  CHECK(holds(comparison_markdown(rows), "pp\\|\\<script>"));
  CHECK(holds(comparison_csv(rows), "pp|<script>&\"\"\n\","));
  const std::string chart = chart_svg(rows);
  CHECK(holds(chart, "pp|&lt;script&gt;&amp;"));
  CHECK_FALSE(holds(chart, "<script"));
  CHECK_FALSE(holds(chart, "\x1b"));
}

TEST_CASE("a line of CSV has as many cells as its heading, whatever is missing") {
  const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
  for (const Row& row :
       {row_of({1, 2, 3}, {4, 5, 6}, {7}), row_of({1}, {2}), row_of({1, 2, 3}, {}), row_of({0}, {0})}) {
    const std::string text = comparison_csv(std::vector<Row>{row});
    const std::size_t end = text.find('\n');
    std::string line = text.substr(end + 1);
    // The one verdict that has a comma is quoted.
    if (const std::size_t quote = line.find('"'); quote != std::string::npos)
      line.erase(line.find(',', quote), 1);
    CHECK(commas(line) == commas(text.substr(0, end)));
  }
}

TEST_CASE("JSON says null where there is no number") {
  const json document = json::parse(comparison_json({{row_of({1, 1}, {1e308, 1e308})}, {"x"}}));
  CHECK(document.at("schema") == 1);
  CHECK(document.at("mismatches") == json{"x"});
  const json& row = document.at("rows").at(0);
  CHECK(row.at("times_as_fast_95").is_null());
  CHECK(row.at("share_of_host").is_null());
  CHECK(row.at("times_as_fast") == 1e308);
  CHECK_FALSE(row.contains("host"));
  CHECK(row.at("verdict") == "fewer than 3 samples, no verdict");
}

TEST_CASE("the chart is as high as its panels, and the longest bar ends within it") {
  const std::string one = chart_svg(std::vector<Row>{row_of({1, 2, 3}, {4, 5, 6})});
  const std::string two =
      chart_svg(std::vector<Row>{row_of({1, 2, 3}, {4, 5, 6}), row_of({1, 2, 3}, {4, 5, 6}, {7})});
  const auto height = [](const std::string& chart) {
    return std::stoi(chart.substr(chart.find("height=\"") + 8));
  };
  CHECK(height(two) > height(one));
  CHECK(holds(chart_svg(std::vector<Row>{row_of({0, 0}, {0, 0})}), "</svg>"));
  CHECK_FALSE(holds(chart_svg(std::vector<Row>{row_of({1e308, 1e308}, {1, 1})}), "inf"));
}
