// SPDX-License-Identifier: MIT
#include "cli/text/doctor_annotations.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

/// The runner ends a message at a line's end, and a property at ':' or ',' as well.
std::string workflow_escaped(std::string_view text, bool is_property) {
  std::string result;
  for (const char letter : text) {
    if (letter == '%')
      result += "%25";
    else if (letter == '\r')
      result += "%0D";
    else if (letter == '\n')
      result += "%0A";
    else if (is_property && letter == ':')
      result += "%3A";
    else if (is_property && letter == ',')
      result += "%2C";
    else
      result += letter;
  }
  return result;
}

std::string_view command_for(Severity severity) {
  if (severity == Severity::fail) return "error";
  return severity == Severity::warn ? "warning" : "notice";
}

std::string annotation(const DiagnosisSection& section, const DiagnosisEntry& entry) {
  std::string message = printable(entry.sentence);
  if (!entry.next.empty()) message += "\nnext: " + printable(entry.next);
  for (const std::string& detail : entry.details) message += "\n" + printable(detail);
  const std::string title = formatted("metal-unlock, {}: {}", printable(section.title), entry.id);
  return formatted("::{} title={}::{}\n", command_for(entry.severity), workflow_escaped(title, true),
                   workflow_escaped(message, false));
}

}  // namespace

std::string doctor_annotations(const Diagnosis& diagnosis) {
  std::string text;
  for (const Severity severity : {Severity::fail, Severity::warn, Severity::note})
    for (const DiagnosisSection& section : diagnosis.sections)
      for (const DiagnosisEntry& entry : section.entries)
        if (entry.severity == severity) text += annotation(section, entry);
  return text + formatted("verdict: {}\n", printable(diagnosis.verdict()));
}

}  // namespace metal_unlock
