// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/select.hpp"

#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

enum class FieldDecision : std::uint8_t {
  unclaimed,    ///< not mentioned: stays stock
  kept,         ///< stock reaches the claim already: nothing to do
  raised,       ///< the claim is answered
  lowered,      ///< the ceiling is answered instead of the claim
  beyond_host,  ///< the claim is answered although it is above the ceiling, as the user insisted
  refused,      ///< the claim is above the ceiling, or may never be made
  simulated,    ///< a smaller GPU's answer is given instead
};

std::string_view to_text(FieldDecision decision);

/// One field of any kind, as it stands before the decision.
struct FieldCase {
  std::optional<std::uint64_t> stock;  ///< unknown where Metal was not asked
  std::optional<std::uint64_t> claim;
  std::optional<std::uint64_t> simulated;  ///< what the profile has simulated instead
  std::optional<std::uint64_t> ceiling;    ///< none stated
  bool is_measured = false;                ///< the ceiling is a host report's
  bool is_named = false;                   ///< the user named the profile
  bool allow_beyond_host = false;
};

/// What is decided about it.
struct FieldJudgement {
  FieldDecision decision = FieldDecision::unclaimed;
  std::optional<std::uint64_t> answer;  ///< what the shim is told; nothing: the field stays stock
  std::string_view reason;

  bool operator==(const FieldJudgement&) const = default;
};

/// The rule for fields of one kind.
FieldJudgement judge(FieldKind kind, const FieldCase& field);

/// What becomes of one field.
struct FieldVerdict {
  Field field = Field::apple_family;
  std::optional<std::uint64_t> stock;  ///< unknown where Metal was not asked
  std::optional<std::uint64_t> claim;
  std::optional<std::uint64_t> ceiling;    ///< none stated
  std::optional<std::uint64_t> granted;    ///< what the shim is told; nothing: the field stays stock
  std::optional<std::uint64_t> simulated;  ///< what the profile has simulated
  FieldDecision decision = FieldDecision::unclaimed;
  std::string reason;

  bool operator==(const FieldVerdict&) const = default;
};

struct Verdict {
  std::vector<FieldVerdict> fields;  ///< one for each field, in the order of field_rows()
  std::vector<Finding> findings;     ///< claim-above-ceiling, claim-lowered, beyond-host, simulated

  /// The claims that the shim is to answer.
  Capabilities granted() const;
  /// The answers of a smaller GPU that it is to give.
  Capabilities simulated() const;
  /// Whether the shim has anything to do.
  bool empty() const { return granted().empty() && simulated().empty(); }
  bool operator==(const Verdict&) const = default;
};

/// Measures every claim against the ceiling. `stock` is empty where Metal was not asked.
Verdict validate(const Selection& selection, const Capabilities& stock, bool allow_beyond_host);

}  // namespace metal_unlock
