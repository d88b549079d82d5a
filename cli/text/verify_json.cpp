// SPDX-License-Identifier: MIT
#include "cli/text/verify_json.hpp"

#include "cli/commands/sources.hpp"
#include "cli/text/json_document.hpp"

#include <cmath>

namespace metal_unlock {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json{} : Json(text); }

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json{}; }

Json pass_json(const CheckPass& pass) {
  return {{"outcome", to_text(pass.end)},
          {"largest_error", number_or_null(pass.largest_error)},
          {"tolerance", number_or_null(pass.tolerance)},
          {"where", text_or_null(pass.where)}};
}

Json capability_json(const GpuVerdict& verdict, const CapabilityVerdict& capability) {
  const Check* const check = find_check(capability.name);
  const GpuFamily since = check == nullptr ? GpuFamily{} : check->since;
  return {{"check", capability.name},
          {"capability", capability_name(capability)},
          {"since", {{"number", since.number}, {"name", to_text(since)}}},
          {"claimed", capability.is_claimed},
          {"verdict", to_text(state_of(verdict, capability))},
          {"stock", pass_json(capability.stock)},
          {"unlocked", pass_json(capability.unlocked)}};
}

}  // namespace

std::string verify_json(const GpuVerdict& verdict, const Launch& launch) {
  const Machine& machine = launch.machine;
  Json claims = Json::object();
  const Capabilities granted = launch.verdict ? launch.verdict->granted() : Capabilities{};
  for (const FieldRow& row : field_rows())
    if (granted[row.field]) claims[row.key] = *granted[row.field];
  Json capabilities = Json::array();
  for (const CapabilityVerdict& capability : verdict.capabilities)
    capabilities.push_back(capability_json(verdict, capability));
  return json_document(
      {{"tool", program_version()},
       {"good", verdict.is_good()},
       {"unlocked", verdict.was_unlocked},
       {"needs_restart", verdict.is_stuck},
       {"verified", verdict.verified_at == 0 ? Json{} : Json(moment_text(verdict.verified_at))},
       {"machine",
        {{"os", machine.os},
         {"os_version", machine.os_version},
         {"os_build", text_or_null(machine.os_build)},
         {"model", machine.model},
         {"chip", physical_chip(machine)}}},
       {"profile", launch.selection ? Json(launch.selection->profile.name) : Json{}},
       {"claims", claims},
       {"claimed", claimed_count(verdict)},
       {"claimed_correct", fine_count(verdict)},
       {"capabilities", capabilities}});
}

}  // namespace metal_unlock
