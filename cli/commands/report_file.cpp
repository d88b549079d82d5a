// SPDX-License-Identifier: MIT
#include "cli/commands/report_file.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/json_text.hpp"

namespace metal_unlock {

std::optional<Finding> begin_report(System& system, const std::string& path, const Launch& launch) {
  if (path.empty()) return std::nullopt;
  // The shim is told the path in the handoff, which has no room for a longer one.
  constexpr std::size_t longest_path = 1000;
  if (path.size() > longest_path)
    return Finding{FindingId::report_unwritten,
                   formatted("the report's path has {} bytes, more than {}", path.size(), longest_path),
                   "choose a shorter path"};
  const Result<std::string> written = system.replace_file(path, plan_event(launch));
  if (written) return std::nullopt;
  return written.finding();
}

}  // namespace metal_unlock
