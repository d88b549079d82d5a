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
  refused,      ///< the claim is above the ceiling
};

std::string_view to_text(FieldDecision decision);

/// What becomes of one field.
struct FieldVerdict {
  Field field = Field::apple_family;
  std::optional<std::uint64_t> stock;  ///< unknown where Metal was not asked
  std::optional<std::uint64_t> claim;
  std::optional<std::uint64_t> ceiling;  ///< none stated
  std::optional<std::uint64_t> granted;  ///< what the shim is told; nothing: the field stays stock
  FieldDecision decision = FieldDecision::unclaimed;
  std::string reason;

  bool operator==(const FieldVerdict&) const = default;
};

struct Verdict {
  std::vector<FieldVerdict> fields;  ///< one for each field, in the order of field_rows()
  std::vector<Finding> findings;     ///< claim-above-ceiling, claim-lowered, beyond-host

  /// What the shim is to answer.
  Capabilities granted() const;
  bool operator==(const Verdict&) const = default;
};

/// Measures every claim against the ceiling. `stock` is empty where Metal was not asked.
Verdict validate(const Selection& selection, const Capabilities& stock, bool allow_beyond_host);

}  // namespace metal_unlock
