// SPDX-License-Identifier: MIT
#include "cli/text/findings_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

std::string severity_word(Severity severity, const Style& style) {
  switch (severity) {
    case Severity::ok:
      return {};
    case Severity::note:
      return "note: ";
    case Severity::warn:
      return style.warning("warning:") + " ";
    case Severity::fail:
      break;
  }
  return style.failure("error:") + " ";
}

}  // namespace

std::string findings_text(std::span<const Finding> findings, const Style& style) {
  std::string text;
  for (const Finding& finding : findings) {
    text +=
        formatted("metal-unlock: {}{} {}\n", severity_word(finding.severity, style),
                  printable(finding.sentence), style.dim(formatted("[{}]", catalogue_row(finding.id).name)));
    for (const std::string& detail : finding.details) text += formatted("  {}\n", printable(detail));
    text += formatted("  next: {}\n", printable(finding.next));
  }
  return text;
}

}  // namespace metal_unlock
