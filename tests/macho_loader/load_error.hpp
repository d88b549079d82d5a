// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace metal_unlock::macho {

/// Why a file cannot be loaded. Thrown and caught inside the loader only.
struct LoadError {
  std::string reason;
};

/// Ends the process for something that macOS would have done and this loader cannot: a test that comes here
/// must fail, not go on with half an answer.
[[noreturn]] void give_up(const std::string& sentence);

}  // namespace metal_unlock::macho
