// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"
#include "cli/core/plan.hpp"
#include "cli/core/result.hpp"

#include <optional>

namespace metal_unlock {

/// Another project's library with the same purpose, as the environment shows it (shim/preload_list.hpp lists
/// them). One that will be loaded is in the way: two shims in one process contradict each other. One that is
/// only configured is a note.
std::optional<Finding> find_foreign_shim(const Environment& environment, const Loader& loader);

}  // namespace metal_unlock
