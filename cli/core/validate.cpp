// SPDX-License-Identifier: MIT
#include "cli/core/validate.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

std::string amount_or(Field field, const std::optional<std::uint64_t>& amount, std::string_view otherwise) {
  return amount ? amount_text(field, *amount) : std::string{otherwise};
}

/// The ceiling that counts for fields of this kind: not everybody's word is one.
std::optional<std::uint64_t> counted_ceiling(FieldKind kind, const FieldCase& field) {
  const CeilingSource source = kind_row(kind).ceiling;
  const bool counts =
      source == CeilingSource::chip || (source == CeilingSource::host_report && field.is_measured);
  return counts ? field.ceiling : std::nullopt;
}

FieldJudgement judge_simulated(const FieldCase& field) {
  if (!field.is_named) return {FieldDecision::unclaimed, {}, "simulated only by a profile that is named"};
  if (field.stock && *field.simulated >= *field.stock)
    return {FieldDecision::kept, {}, "stock is no more than that"};
  return {FieldDecision::simulated, field.simulated, "a smaller GPU is simulated"};
}

FieldJudgement judge_above_ceiling(const FieldCase& field, const std::optional<std::uint64_t>& ceiling) {
  const std::string_view reason = ceiling ? "above the ceiling" : "no ceiling is known";
  if (field.allow_beyond_host) return {FieldDecision::beyond_host, field.claim, reason};
  if (field.is_named) return {FieldDecision::refused, {}, reason};
  const bool is_worth_it = ceiling && (!field.stock || *ceiling > *field.stock);
  return {FieldDecision::lowered, is_worth_it ? ceiling : std::nullopt, reason};
}

FieldVerdict verdict_of(const FieldRow& row, const Selection& selection, const Capabilities& stock,
                        bool allow_beyond_host) {
  const FieldCase field{.stock = stock[row.field],
                        .claim = selection.profile.claims[row.field],
                        .simulated = selection.profile.simulated[row.field],
                        .ceiling = selection.ceiling.amounts[row.field],
                        .is_measured = selection.ceiling.is_measured,
                        .is_named = selection.is_named,
                        .allow_beyond_host = allow_beyond_host};
  const FieldJudgement judgement = judge(row.kind, field);
  return {.field = row.field,
          .stock = field.stock,
          .claim = field.claim,
          .ceiling = counted_ceiling(row.kind, field),
          .granted = judgement.answer,
          .simulated = field.simulated,
          .decision = judgement.decision,
          .reason = std::string{judgement.reason}};
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

void add_simulation(Verdict& verdict, const Selection& selection) {
  std::vector<std::string> lines;
  for (const FieldVerdict& field : verdict.fields)
    if (field.decision == FieldDecision::simulated)
      lines.push_back(formatted("{}: at most {}", field_row(field.field).key,
                                amount_text(field.field, *field.simulated)));
  if (lines.empty()) return;
  verdict.findings.emplace_back(FindingId::simulated,
                                formatted("profile '{}' simulates a smaller GPU", selection.profile.name),
                                "to have the GPU of this machine, choose another profile", std::move(lines));
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
    case FieldDecision::simulated:
      return "simulated";
    case FieldDecision::unclaimed:
      break;
  }
  return "stock";
}

FieldJudgement judge(FieldKind kind, const FieldCase& field) {
  const KindRow& rule = kind_row(kind);
  if (rule.measure == Measure::never) {
    if (!field.claim && !field.simulated) return {FieldDecision::unclaimed, {}, "not claimed"};
    return {FieldDecision::refused, {}, "never claimed"};
  }
  if (field.simulated) return judge_simulated(field);
  if (!field.claim) return {FieldDecision::unclaimed, {}, "not claimed"};
  const std::optional<std::uint64_t> ceiling = counted_ceiling(kind, field);
  if (!ceiling || *field.claim > *ceiling) return judge_above_ceiling(field, ceiling);
  if (field.stock && *field.claim <= *field.stock)
    return {FieldDecision::kept, {}, "stock reaches it already"};
  return {FieldDecision::raised, field.claim, "within the ceiling"};
}

Capabilities Verdict::granted() const {
  Capabilities granted;
  for (const FieldVerdict& field : fields)
    if (field.decision != FieldDecision::simulated) granted[field.field] = field.granted;
  return granted;
}

Capabilities Verdict::simulated() const {
  Capabilities simulated;
  for (const FieldVerdict& field : fields)
    if (field.decision == FieldDecision::simulated) simulated[field.field] = field.granted;
  return simulated;
}

Verdict validate(const Selection& selection, const Capabilities& stock, bool allow_beyond_host) {
  Verdict verdict;
  for (const FieldRow& row : field_rows())
    verdict.fields.push_back(verdict_of(row, selection, stock, allow_beyond_host));
  add_finding(verdict, selection, FieldDecision::refused, FindingId::claim_above_ceiling, "",
              "lower the claims, or insist with --allow-beyond-host");
  add_finding(verdict, selection, FieldDecision::lowered, FindingId::claim_lowered, "; it is lowered to it",
              formatted("metal-unlock profiles show {}", selection.profile.name));
  add_finding(verdict, selection, FieldDecision::beyond_host, FindingId::beyond_host,
              ", as --allow-beyond-host permits", "expect refused pipelines or wrong results");
  add_simulation(verdict, selection);
  return verdict;
}

}  // namespace metal_unlock
