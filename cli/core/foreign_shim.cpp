// SPDX-License-Identifier: MIT
#include "cli/core/foreign_shim.hpp"

#include "cli/core/text_format.hpp"
#include "shim/preload_list.hpp"

#include <string>

namespace metal_unlock {
namespace {

Finding is_loaded(const shim::ForeignShim& foreign, const Loader& loader) {
  return {FindingId::foreign_shim,
          formatted("{}'s shim is in {} already; two shims in one process contradict each other",
                    foreign.name, loader.preload_variable),
          formatted("env -u {} metal-unlock run -- COMMAND", loader.preload_variable)};
}

Finding is_configured(const shim::ForeignShim& foreign) {
  Finding finding{FindingId::foreign_shim,
                  formatted("{} is set, but {}'s shim is not loaded here", foreign.variable, foreign.name),
                  formatted("unset {}", foreign.variable)};
  finding.severity = Severity::note;
  return finding;
}

}  // namespace

std::optional<Finding> find_foreign_shim(const Environment& environment, const Loader& loader) {
  const std::string preload{environment.get(loader.preload_variable).value_or("")};
  for (const shim::ForeignShim& foreign : shim::foreign_shims)
    if (shim::lists_foreign_shim(preload.c_str(), foreign, loader.separators.c_str()))
      return is_loaded(foreign, loader);
  for (const shim::ForeignShim& foreign : shim::foreign_shims) {
    const auto setting = environment.get(foreign.variable);
    if (setting && shim::switches_on(std::string{*setting}.c_str())) return is_configured(foreign);
  }
  return std::nullopt;
}

}  // namespace metal_unlock
