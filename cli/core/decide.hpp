// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/need.hpp"
#include "cli/core/settings.hpp"

#include <cstdint>
#include <vector>

namespace metal_unlock {

enum class Action : std::uint8_t { start_stock, start_unlocked, refuse };

struct Decision {
  Action action = Action::refuse;
  int status = 0;                 ///< exit status of a refusal: 125, 126 or 127
  std::vector<Finding> findings;  ///< what to tell, worst first; empty: say nothing

  bool operator==(const Decision&) const = default;
};

/// The table that joins the stages. First row that fits:
///
/// | what is known                                | prefer                   | require   | off         |
/// |----------------------------------------------|--------------------------|-----------|-------------|
/// | a user's own mistake                         | refuse                   | refuse    | refuse      |
/// | policy off                                   |                          |           | start stock |
/// | bare metal, or no Mac                        | start stock, silently    | the same  |             |
/// | a guest without a GPU                        | start stock, silently    | refuse    |             |
/// | a circumstance in the way of the unlock      | start stock, and say why | refuse    |             |
/// | nothing in the way                           | start unlocked           | the same  |             |
Decision decide(Policy policy, Need need, std::vector<Finding> findings);

/// Whether a finding of that id stands in the way of the unlock, or only informs.
bool is_in_the_way(const Finding& finding);

}  // namespace metal_unlock
