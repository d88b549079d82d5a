// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "cli/core/host_report.hpp"
#include "cli/core/program.hpp"
#include "cli/core/validate.hpp"

#include <optional>
#include <vector>

namespace metal_unlock {

/// What one guest's device answers stock and unlocked, and what the physical chip answers. Nothing where it
/// is not known.
struct ComparedAnswers {
  std::optional<DeviceAnswers> stock;
  std::optional<DeviceAnswers> unlocked;
  std::optional<DeviceAnswers> bare_metal;
};

/// The gates of a program that are shut before and open after.
std::vector<ProgramItem> opened_gates(const Program& program, const DeviceAnswers& before,
                                      const DeviceAnswers& after);

/// The gates that claims open on a virtual GPU about which nothing else is known: `run` asks Metal nothing.
std::vector<ProgramItem> opened_gates(const Program& program, const Verdict& verdict);

/// The stock answers with those that the shim gives instead.
DeviceAnswers unlocked_answers(const DeviceAnswers& stock, const Verdict& verdict);

/// What a chip answers on its host: from the host's own report, else what every Mac with such a family does.
/// Nothing where the family is not known.
std::optional<DeviceAnswers> bare_metal_answers(const Machine& guest, const Capabilities& ceiling,
                                                const std::optional<HostReport>& report);

}  // namespace metal_unlock
