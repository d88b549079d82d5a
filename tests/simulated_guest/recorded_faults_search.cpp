// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/recorded_faults.hpp"

#include <algorithm>

namespace metal_unlock {

const Fault* find_fault(const Faults& faults, FaultKind kind, std::string_view function) {
  const auto found = std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) {
    return fault.kind == kind && fault.hits(function);
  });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace metal_unlock
