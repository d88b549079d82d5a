// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/launch.hpp"
#include "cli/core/diagnosis.hpp"
#include "cli/core/profile.hpp"
#include "cli/text/agent_text.hpp"
#include "cli/text/config_text.hpp"
#include "cli/text/paths_text.hpp"
#include "cli/text/verdict_text.hpp"

#include <span>
#include <string>
#include <vector>

namespace metal_unlock {

// What the commands print with --json: one object, "schema": 1. `probe --json` is in core/guest_report.hpp.

/// `here` has one entry for each profile, or none at all.
std::string profiles_json(std::span<const Profile> profiles, std::span<const std::optional<Here>> here);
/// The first line of a report: what was decided.
std::string plan_event(const Launch& launch);
std::string change_json(const Launch& launch);
std::string host_report_json(const HostReport& report);
std::string host_preference_json(PreferenceState state);
std::string config_json(const std::vector<ShownRow>& settings, const std::vector<ShownRow>& files);
std::string agent_json(const ShownAgent& agent);
/// Every file that may ever be written.
std::string paths_json(std::span<const ShownPath> paths);

/// A diagnosis, as docs/doctor.schema.json describes it.
std::string doctor_json(const Diagnosis& diagnosis, const Launch& launch);

}  // namespace metal_unlock
