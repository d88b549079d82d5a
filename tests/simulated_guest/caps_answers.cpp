// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/caps_answers.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {
namespace {

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }
std::string true_or_false(bool value) { return value ? "true" : "false"; }

std::optional<GpuFamily> highest_in(const CapsAnswers& answers, FamilyRange range) {
  std::optional<GpuFamily> highest;
  for (const auto& [family, supported] : answers.families) {
    if (supported && range_of(family) == range) highest = family;
  }
  return highest;
}

bool names_a_tensor_chip(std::string_view name) {
  constexpr std::array<std::string_view, 4> chips{"M5", "M6", "A19", "A20"};
  return std::any_of(chips.begin(), chips.end(),
                     [&](std::string_view chip) { return name.find(chip) != std::string_view::npos; });
}

std::string line(std::string_view question, std::string_view answer) {
  constexpr std::size_t width = 34;
  std::string result(question);
  result.resize(std::max(width, result.size() + 1), ' ');
  return result.append(answer) + "\n";
}

std::string text_of(std::optional<GpuFamily> family) { return family ? to_text(*family) : "none"; }
std::string json_of(std::optional<GpuFamily> family) {
  return family ? std::to_string(family->number) : "null";
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// Keys, and values that are JSON already.
using Members = std::vector<std::pair<std::string, std::string>>;

std::string json_object(const Members& members) {
  std::string result = "{";
  for (const auto& [key, value] : members) {
    if (result.size() > 1) result += ",";
    result.append(json_string(key)).append(":").append(value);
  }
  return result + "}";
}

}  // namespace

bool CapsAnswers::supports(std::uint32_t family) const {
  const auto found = families.find(GpuFamily{family});
  return found != families.end() && found->second;
}

CapsGates gates_of(const CapsAnswers& answers) {
  return {
      .simdgroup_reduction = answers.supports(1007) || answers.supports(5001),
      .simdgroup_matrix = answers.supports(1007),
      .bfloat = answers.supports(5001) || answers.supports(1006),
      .tensor = answers.supports(5002) && names_a_tensor_chip(answers.name),
      .highest_apple = highest_in(answers, FamilyRange::apple),
      .highest_common = highest_in(answers, FamilyRange::common),
      .highest_metal = highest_in(answers, FamilyRange::metal),
  };
}

std::string caps_text(const CapsAnswers& answers) {
  const CapsGates gates = gates_of(answers);
  std::string text = line("name", answers.name);
  for (const auto& [family, supported] : answers.families) {
    text += line("supportsFamily: " + std::to_string(family.number) + " (" + to_text(family) + ")",
                 yes_or_no(supported));
  }
  return text + line("maxThreadgroupMemoryLength", std::to_string(answers.max_threadgroup_memory_length)) +
         line("recommendedMaxWorkingSetSize", std::to_string(answers.recommended_max_working_set_size)) +
         line("maxBufferLength", std::to_string(answers.max_buffer_length)) +
         line("hasUnifiedMemory", yes_or_no(answers.has_unified_memory)) +
         line("llama.cpp simdgroup reduction", yes_or_no(gates.simdgroup_reduction)) +
         line("llama.cpp simdgroup matrix", yes_or_no(gates.simdgroup_matrix)) +
         line("llama.cpp bfloat", yes_or_no(gates.bfloat)) +
         line("llama.cpp tensor", yes_or_no(gates.tensor)) +
         line("highest Apple family", text_of(gates.highest_apple)) +
         line("highest Common family", text_of(gates.highest_common)) +
         line("highest Metal family", text_of(gates.highest_metal));
}

std::string caps_json(const CapsAnswers& answers) {
  const CapsGates gates = gates_of(answers);
  Members families;
  for (const auto& [family, supported] : answers.families) {
    families.emplace_back(std::to_string(family.number), true_or_false(supported));
  }
  const Members limits{
      {"maxThreadgroupMemoryLength", std::to_string(answers.max_threadgroup_memory_length)},
      {"recommendedMaxWorkingSetSize", std::to_string(answers.recommended_max_working_set_size)},
      {"maxBufferLength", std::to_string(answers.max_buffer_length)},
      {"hasUnifiedMemory", true_or_false(answers.has_unified_memory)},
  };
  const Members openings{
      {"simdgroup_reduction", true_or_false(gates.simdgroup_reduction)},
      {"simdgroup_matrix", true_or_false(gates.simdgroup_matrix)},
      {"bfloat", true_or_false(gates.bfloat)},
      {"tensor", true_or_false(gates.tensor)},
      {"highest_apple", json_of(gates.highest_apple)},
      {"highest_common", json_of(gates.highest_common)},
      {"highest_metal", json_of(gates.highest_metal)},
  };
  return json_object({{"name", json_string(answers.name)},
                      {"families", json_object(families)},
                      {"limits", json_object(limits)},
                      {"gates", json_object(openings)}});
}

}  // namespace metal_unlock
