// SPDX-License-Identifier: MIT
#include "cli/commands/comparison_output.hpp"

#include "cli/commands/output.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/chart_svg.hpp"
#include "cli/text/comparison_text.hpp"

namespace metal_unlock {
namespace {

std::string text_in_form(const System& system, ComparisonOutput::Form form, const Pairing& pairing,
                         const std::string& json) {
  switch (form) {
    case ComparisonOutput::Form::as_json:
      return json;
    case ComparisonOutput::Form::as_csv:
      return comparison_csv(pairing.rows);
    case ComparisonOutput::Form::as_markdown:
      return comparison_markdown(pairing.rows);
    case ComparisonOutput::Form::as_table:
      break;
  }
  const Terminal terminal = system.terminal(Stream::out);
  return comparison_text(pairing.rows, Style{terminal}, terminal.width);
}

}  // namespace

Result<std::vector<Series>> load_samples(const System& system, const std::string& path, Side side) {
  const Result<std::string> text = system.read_file(path, largest_sample_file);
  if (!text) return text.finding();
  Result<Measurements> measurements = read_measurements(*text, path, side);
  if (!measurements) return measurements.finding();
  return std::move(measurements->series);
}

bool show_comparison(System& system, const ComparisonOutput& output, const Pairing& pairing,
                     const std::string& json) {
  bool is_written = true;
  if (!output.svg.empty()) {
    const Result<std::string> written = system.replace_file(output.svg, chart_svg(pairing.rows));
    if (!written) tell(system, written.finding());
    is_written = static_cast<bool>(written);
  }
  return print_answer(system, text_in_form(system, output.form, pairing, json)) && is_written;
}

Finding mismatch_finding(const Pairing& pairing) {
  return {FindingId::samples_differ,
          formatted("{} of what was measured {} no partner and {} not compared", pairing.mismatches.size(),
                    pairing.mismatches.size() == 1 ? "has" : "have",
                    pairing.mismatches.size() == 1 ? "is" : "are"),
          "measure all sides with the same program, model and options", pairing.mismatches};
}

}  // namespace metal_unlock
