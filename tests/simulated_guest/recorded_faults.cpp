// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/recorded_faults.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace metal_unlock {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<std::string_view, FaultKind>, 12> kinds{{
    {"wrong-sum", FaultKind::wrong_sum},
    {"wrong-shuffle", FaultKind::wrong_shuffle},
    {"wrong-matrix", FaultKind::wrong_matrix},
    {"zeros", FaultKind::zeros},
    {"stale-map", FaultKind::stale_map},
    {"short-threadgroup-memory", FaultKind::short_threadgroup_memory},
    {"crash", FaultKind::crash},
    {"hang", FaultKind::hang},
    {"wedge", FaultKind::wedge},
    {"compile-failure", FaultKind::compile_failure},
    {"no-bfloat", FaultKind::no_bfloat},
    {"no-residency-set", FaultKind::no_residency_set},
}};

bool has_limit(FaultKind kind) {
  return kind == FaultKind::stale_map || kind == FaultKind::short_threadgroup_memory;
}

/// Thrown and caught in this file only.
struct Invalid {
  std::string problem;
};

FaultKind read_kind(const std::string& word) {
  const auto* const row =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == word; });
  if (row != kinds.end()) return row->second;
  std::string known;
  for (const auto& kind : kinds) known.append(known.empty() ? "" : ", ").append(kind.first);
  throw Invalid{"has the unknown fault '" + word + "', expected one of " + known};
}

Fault read_fault(const json& members) {
  if (!members.is_object() || !members.contains("fault") || !members["fault"].is_string())
    throw Invalid{"has a fault without a 'fault'"};
  Fault fault{.kind = read_kind(members["fault"].get<std::string>()), .kernel = {}};
  for (const auto& [key, value] : members.items()) {
    if (key == "fault") continue;
    if (key == "kernel" && value.is_string()) {
      fault.kernel = value.get<std::string>();
    } else if (key == "above" && value.is_number_unsigned() && has_limit(fault.kind)) {
      fault.above = value.get<std::uint64_t>();
    } else {
      throw Invalid{"has the fault '" + members["fault"].get<std::string>() + "' with a '" + key +
                    "' that it does not take"};
    }
  }
  return fault;
}

}  // namespace

Result<Faults> parse_faults(std::string_view text, std::string_view name) {
  Faults faults;
  // Most guests have none, and are not read a second time.
  if (text.find("\"faults\"") == std::string_view::npos) return faults;
  const auto invalid = [&](const std::string& problem) {
    return Finding{FindingId::guest_invalid, std::string{"'"}.append(name).append("' ") + problem,
                   "see tests/simulated_guest/recorded_faults.hpp"};
  };
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("faults")) return faults;
  if (!document["faults"].is_array()) return invalid("has 'faults' that are no array");
  try {
    for (const json& members : document["faults"]) faults.push_back(read_fault(members));
  } catch (const Invalid& problem) {
    return invalid(problem.problem);
  }
  return faults;
}

}  // namespace metal_unlock
