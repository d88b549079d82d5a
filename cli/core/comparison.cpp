// SPDX-License-Identifier: MIT
#include "cli/core/comparison.hpp"

#include "cli/core/settings.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

void add_families(std::vector<GpuFamily>& families, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t number = first; number <= last; ++number)
    if (std::ranges::find(families, GpuFamily{number}) == families.end()) families.push_back({number});
  std::ranges::sort(families);
}

}  // namespace

std::vector<ProgramItem> opened_gates(const Program& program, const DeviceAnswers& before,
                                      const DeviceAnswers& after) {
  std::vector<ProgramItem> gates = program.items_of(ItemKind::gate);
  std::erase_if(gates, [&](const ProgramItem& gate) {
    return is_open(gate.condition, before) != false || is_open(gate.condition, after) != true;
  });
  return gates;
}

std::vector<ProgramItem> opened_gates(const Program& program, const Verdict& verdict) {
  DeviceAnswers bare;
  bare.name = "Apple Paravirtual device";
  return opened_gates(program, bare, unlocked_answers(bare, verdict));
}

DeviceAnswers unlocked_answers(const DeviceAnswers& stock, const Verdict& verdict) {
  DeviceAnswers answers = stock;
  const Capabilities granted = verdict.granted();
  const Capabilities simulated = verdict.simulated();
  if (const auto& family = granted[Field::apple_family])
    add_families(answers.families, first_apple_family.number, static_cast<std::uint32_t>(*family));
  if (const auto& family = simulated[Field::apple_family])
    std::erase_if(answers.families, [&](GpuFamily candidate) {
      return range_of(candidate) == FamilyRange::apple && candidate.number > *family;
    });
  const auto told = [&](Field field, Bytes stock_size) {
    std::uint64_t size = std::max(stock_size.count, granted[field].value_or(0));
    if (simulated[field]) size = std::min(size, *simulated[field]);
    return Bytes{size};
  };
  answers.max_threadgroup_memory = told(Field::max_threadgroup_memory, stock.max_threadgroup_memory);
  if (stock.recommended_max_working_set || granted[Field::recommended_max_working_set])
    answers.recommended_max_working_set =
        told(Field::recommended_max_working_set, stock.recommended_max_working_set.value_or(Bytes{}));
  return answers;
}

std::optional<DeviceAnswers> bare_metal_answers(const Machine& guest, const Capabilities& ceiling,
                                                const std::optional<HostReport>& report) {
  if (report) return report->device;
  const auto& family = ceiling[Field::apple_family];
  if (!family) return std::nullopt;
  DeviceAnswers answers;
  answers.name = physical_chip(guest);
  // The Metal Feature Set Tables: every Mac with Apple silicon has these, Metal 3 from macOS 13 on and Metal
  // 4 from macOS 26 on.
  add_families(answers.families, first_apple_family.number, static_cast<std::uint32_t>(*family));
  add_families(answers.families, 2002, 2002);
  add_families(answers.families, 3001, 3003);
  add_families(answers.families, 5001, is_at_least(guest.os_version, "26") == false ? 5001 : 5002);
  answers.max_threadgroup_memory = Bytes{ceiling[Field::max_threadgroup_memory].value_or(0)};
  answers.unified_memory = true;
  return answers;
}

}  // namespace metal_unlock
