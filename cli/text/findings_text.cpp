// SPDX-License-Identifier: MIT
#include "cli/text/findings_text.hpp"

#include "cli/text/printable.hpp"

#include <fmt/format.h>

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
    text += fmt::format("metal-unlock: {}{} {}\n", severity_word(finding.severity, style),
                        printable(finding.sentence),
                        style.dim(fmt::format("[{}]", catalogue_row(finding.id).name)));
    for (const std::string& detail : finding.details) text += fmt::format("  {}\n", printable(detail));
    text += fmt::format("  next: {}\n", printable(finding.next));
  }
  return text;
}

}  // namespace metal_unlock
