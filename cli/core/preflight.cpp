// SPDX-License-Identifier: MIT
#include "cli/core/preflight.hpp"

#include "cli/core/text_format.hpp"

namespace metal_unlock {

Clearance preflight(const Target& target) {
  if (target.facts.changes_identity)
    return {
        LoaderVerdict::dropped, "a set-user-id program ignores preloaded libraries",
        Finding{FindingId::target_setuid,
                formatted("'{}' is set-user-id or set-group-id, so the loader drops the shim", target.file),
                "run metal-unlock inside it instead, for example: sudo metal-unlock run -- COMMAND"}};
  return {LoaderVerdict::inserts, "an ordinary program", std::nullopt};
}

}  // namespace metal_unlock
