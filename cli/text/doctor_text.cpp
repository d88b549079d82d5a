// SPDX-License-Identifier: MIT
#include "cli/text/doctor_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/style.hpp"
#include "cli/text/wrapped.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::size_t indent = 8;

std::string coloured(Severity severity, const Style& style) {
  const std::string word{to_text(severity)};
  if (severity == Severity::fail) return style.failure(word);
  if (severity == Severity::warn) return style.warning(word);
  return severity == Severity::note ? word : style.dim(word);
}

}  // namespace

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::note:
      return "note";
    case Severity::warn:
      return "warn";
    case Severity::fail:
      break;
  }
  return "fail";
}

std::string rule_text(const Clearance& clearance) {
  const std::string slice = clearance.architecture.empty() ? std::string{} : clearance.architecture + ", ";
  return formatted("{}{} ({}: {})", slice, clearance.rule, to_text(clearance.certainty), clearance.source);
}

std::string doctor_text(const Diagnosis& diagnosis, const Terminal& terminal) {
  constexpr std::size_t least_width = 20;
  const Style style{terminal};
  const std::size_t columns =
      terminal.is_terminal ? static_cast<std::size_t>(std::max(terminal.width, 0)) : 0;
  const std::size_t width =
      columns == 0 ? std::string::npos : std::max(columns, least_width + indent) - indent;
  std::string text;
  for (const DiagnosisSection& section : diagnosis.sections) {
    text += style.bold(printable(section.title)) + "\n";
    for (const DiagnosisEntry& entry : section.entries) {
      const std::string id = entry.id.empty() ? std::string{} : " " + style.dim("[" + entry.id + "]");
      const std::string gap(indent - 2 - to_text(entry.severity).size(), ' ');
      text += formatted("  {}{}{}\n", coloured(entry.severity, style), gap,
                        wrapped(printable(entry.sentence) + id, width, indent));
      if (!entry.next.empty()) text += formatted("        next: {}\n", printable(entry.next));
      for (const std::string& detail : entry.details) text += formatted("        {}\n", printable(detail));
    }
  }
  return text + formatted("verdict: {}\n", printable(diagnosis.verdict()));
}

}  // namespace metal_unlock
