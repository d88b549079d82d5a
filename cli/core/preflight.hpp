// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace metal_unlock {

/// What the loader will do with the shim when it starts the target.
enum class LoaderVerdict : std::uint8_t { inserts, dropped, would_kill, unknown };

struct Clearance {
  LoaderVerdict verdict = LoaderVerdict::inserts;
  std::string rule;                ///< which rule of the loader decides
  std::optional<Finding> finding;  ///< why the shim would not be loaded

  bool operator==(const Clearance&) const = default;
};

/// Says what the loader will do with this target, from what is known of its file.
Clearance preflight(const Target& target);

}  // namespace metal_unlock
