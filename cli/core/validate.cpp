// SPDX-License-Identifier: MIT
#include "cli/core/validate.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

std::string amount_or(Field field, const std::optional<std::uint64_t>& amount, std::string_view otherwise) {
  return amount ? amount_text(field, *amount) : std::string{otherwise};
}

void decide_above_ceiling(FieldVerdict& verdict, const Selection& selection, bool allow_beyond_host) {
  const std::string ceiling = amount_or(verdict.field, verdict.ceiling, "unknown without a host report");
  verdict.reason =
      formatted("{} is above the ceiling {}", amount_text(verdict.field, *verdict.claim), ceiling);
  if (allow_beyond_host) {
    verdict.decision = FieldDecision::beyond_host;
    verdict.granted = verdict.claim;
  } else if (selection.is_named) {
    verdict.decision = FieldDecision::refused;
  } else {
    verdict.decision = FieldDecision::lowered;
    const bool is_worth_it = verdict.ceiling && (!verdict.stock || *verdict.ceiling > *verdict.stock);
    if (is_worth_it) verdict.granted = verdict.ceiling;
  }
}

FieldVerdict verdict_of(Field field, const Selection& selection, const Capabilities& stock,
                        bool allow_beyond_host) {
  FieldVerdict verdict{.field = field,
                       .stock = stock[field],
                       .claim = selection.profile.claims[field],
                       .ceiling = selection.ceiling.amounts[field],
                       .granted = {},
                       .decision = FieldDecision::unclaimed,
                       .reason = {}};
  if (!verdict.claim) {
    verdict.reason = "not claimed";
  } else if (!verdict.ceiling || *verdict.claim > *verdict.ceiling) {
    decide_above_ceiling(verdict, selection, allow_beyond_host);
  } else if (verdict.stock && *verdict.claim <= *verdict.stock) {
    verdict.decision = FieldDecision::kept;
    verdict.reason = "stock reaches it already";
  } else {
    verdict.decision = FieldDecision::raised;
    verdict.granted = verdict.claim;
    verdict.reason = "within the ceiling";
  }
  return verdict;
}

/// One finding for all fields of a decision, one line each.
void add_finding(Verdict& verdict, const Selection& selection, FieldDecision decision, FindingId id,
                 std::string_view what, std::string next) {
  std::vector<std::string> lines;
  for (const FieldVerdict& field : verdict.fields)
    if (field.decision == decision)
      lines.push_back(formatted("{}: claim {}, ceiling {}", field_row(field.field).key,
                                amount_or(field.field, field.claim, "none"),
                                amount_or(field.field, field.ceiling, "unknown without a host report")));
  if (lines.empty()) return;
  verdict.findings.emplace_back(id,
                                formatted("profile '{}' claims more than the ceiling of {}{}",
                                          selection.profile.name, selection.ceiling.origin, what),
                                std::move(next), std::move(lines));
}

}  // namespace

std::string_view to_text(FieldDecision decision) {
  switch (decision) {
    case FieldDecision::kept:
      return "kept";
    case FieldDecision::raised:
      return "raised";
    case FieldDecision::lowered:
      return "lowered";
    case FieldDecision::beyond_host:
      return "beyond host";
    case FieldDecision::refused:
      return "refused";
    case FieldDecision::unclaimed:
      break;
  }
  return "stock";
}

Capabilities Verdict::granted() const {
  Capabilities granted;
  for (const FieldVerdict& field : fields) granted[field.field] = field.granted;
  return granted;
}

Verdict validate(const Selection& selection, const Capabilities& stock, bool allow_beyond_host) {
  Verdict verdict;
  for (const FieldRow& row : field_rows())
    verdict.fields.push_back(verdict_of(row.field, selection, stock, allow_beyond_host));
  add_finding(verdict, selection, FieldDecision::refused, FindingId::claim_above_ceiling, "",
              "lower the claims, or insist with --allow-beyond-host");
  add_finding(verdict, selection, FieldDecision::lowered, FindingId::claim_lowered, "; it is lowered to it",
              formatted("metal-unlock profiles show {}", selection.profile.name));
  add_finding(verdict, selection, FieldDecision::beyond_host, FindingId::beyond_host,
              ", as --allow-beyond-host permits", "expect refused pipelines or wrong results");
  return verdict;
}

}  // namespace metal_unlock
