// SPDX-License-Identifier: MIT
#include "cli/text/verdict_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {
namespace {

std::string amount_or(Field field, const std::optional<std::uint64_t>& amount, std::string_view otherwise) {
  return amount ? amount_text(field, *amount) : std::string{otherwise};
}

std::string claim_text(const FieldVerdict& field) {
  if (field.simulated) return formatted("at most {}", amount_text(field.field, *field.simulated));
  return amount_or(field.field, field.claim, "-");
}

std::string decision_text(const FieldVerdict& field) {
  if (!field.granted) return std::string{to_text(field.decision)};
  return formatted("{} to {}", to_text(field.decision), amount_text(field.field, *field.granted));
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  Table table;
  table.add_row({"ANSWER", "STOCK", "CLAIM", "CEILING", "DECISION", "REASON"});
  for (const FieldVerdict& field : verdict.fields)
    table.add_row({std::string{field_row(field.field).key}, amount_or(field.field, field.stock, "unknown"),
                   claim_text(field), amount_or(field.field, field.ceiling, "unknown"), decision_text(field),
                   field.reason});
  return table.text();
}

std::string here_text(const Here& here) {
  return formatted("On this machine, with the ceiling of {}:\n{}", printable(here.ceiling),
                   verdict_text(here.verdict));
}

}  // namespace metal_unlock
