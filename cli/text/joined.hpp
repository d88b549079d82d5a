// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/text_format.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

/// All parts in one text, with `between` between them.
template <class Parts>
std::string joined(const Parts& parts, std::string_view between) {
  std::string all;
  for (const auto& part : parts) {
    if (!all.empty()) all += between;
    all += formatted("{}", part);
  }
  return all;
}

}  // namespace metal_unlock
