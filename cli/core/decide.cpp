// SPDX-License-Identifier: MIT
#include "cli/core/decide.hpp"

#include <algorithm>
#include <utility>

namespace metal_unlock {
namespace {

Decision refuse(Finding finding) {
  const int status = catalogue_row(finding.id).run_status;
  return {Action::refuse, status, {std::move(finding)}};
}

Finding missing_gpu() {
  return {FindingId::no_device, "this guest has no paravirtual GPU, so nothing can be unlocked",
          "give the virtual machine a display, or run without --require"};
}

}  // namespace

bool is_in_the_way(const Finding& finding) {
  return finding.severity >= Severity::warn && finding.id != FindingId::beyond_host;
}

Decision decide(Policy policy, Need need, std::vector<Finding> findings) {
  const auto mistake = std::ranges::find_if(findings, [](const Finding& finding) {
    return finding.cause == Cause::mistake && is_in_the_way(finding);
  });
  if (mistake != findings.end()) return refuse(*mistake);
  if (policy == Policy::off || need == Need::bare_metal || need == Need::no_mac)
    return {Action::start_stock, 0, {}};
  if (need == Need::guest_without_gpu)
    return policy == Policy::require ? refuse(missing_gpu()) : Decision{Action::start_stock, 0, {}};

  const auto obstacle = std::ranges::find_if(findings, is_in_the_way);
  if (obstacle == findings.end()) return {Action::start_unlocked, 0, std::move(findings)};
  if (policy == Policy::require) return refuse(*obstacle);
  return {Action::start_stock, 0, {*obstacle}};
}

}  // namespace metal_unlock
