// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/validate.hpp"

#include <string>

namespace metal_unlock {

/// Every field on a line: stock, claim, ceiling, decision, reason.
std::string verdict_text(const Verdict& verdict);

/// What becomes of a profile on this machine.
struct Here {
  std::string ceiling;  ///< who states the ceiling
  Verdict verdict;
};

/// The same below a line that names the ceiling.
std::string here_text(const Here& here);

}  // namespace metal_unlock
