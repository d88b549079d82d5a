// SPDX-License-Identifier: MIT
#include "cli/core/program.hpp"

#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <iterator>

namespace metal_unlock {
namespace {

template <class Parts, class Text>
std::string listed(const Parts& parts, std::string_view between, const Text& text_of) {
  std::string all;
  for (const auto& part : parts) {
    if (!all.empty()) all += between;
    all += text_of(part);
  }
  return all;
}

std::string lower(std::string_view text) {
  std::string all{text};
  for (char& letter : all)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return all;
}

/// "libggml-metal" is meant by "@rpath/libggml-metal.0.dylib", not by "libggml-metal-x.dylib".
bool is_library(std::string_view path, std::string_view name) {
  const std::string_view file = file_name(path);
  return file.starts_with(name) && (file.size() == name.size() || file[name.size()] == '.');
}

/// "*,f16" begins the operands; "bf16" is any of them, or the result.
bool has_types(const Operation& operation, std::string_view pattern) {
  if (pattern.find(',') == std::string_view::npos)
    return operation.result == pattern ||
           std::ranges::find(operation.operands, pattern) != operation.operands.end();
  for (const std::string& operand : operation.operands) {
    const std::size_t comma = pattern.find(',');
    const std::string_view wanted = pattern.substr(0, comma);
    if (wanted != "*" && wanted != operand) return false;
    if (comma == std::string_view::npos) return true;
    pattern.remove_prefix(comma + 1);
  }
  return false;
}

/// "14" is meant by 14.5, not by 140.
bool is_version(std::string_view version, std::string_view prefix) {
  return version.starts_with(prefix) && (version.size() == prefix.size() || version[prefix.size()] == '.');
}

}  // namespace

std::string_view to_text(Gain gain) {
  switch (gain) {
    case Gain::much:
      return "much";
    case Gain::some:
      return "some";
    case Gain::none:
      return "none";
    case Gain::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_text(ItemKind kind) {
  switch (kind) {
    case ItemKind::variable:
      return "switch";
    case ItemKind::trap:
      return "trap";
    case ItemKind::bad_guest:
      return "bad_guest";
    case ItemKind::advice:
      return "advice";
    case ItemKind::gate:
      break;
  }
  return "gate";
}

std::string to_text(const Condition& condition) {
  if (condition.never) return "nothing opens it";
  const auto as_it_is = [](const std::string& part) { return part; };
  const auto family_text = [](GpuFamily family) { return to_text(family); };
  std::vector<std::string> parts;
  if (!condition.any_of.empty())
    parts.push_back(
        listed(condition.any_of, " or ", [&](const auto& all) { return listed(all, " and ", family_text); }));
  if (!condition.name_has.empty())
    parts.push_back("name has " + listed(condition.name_has, " or ", as_it_is));
  if (!condition.name_lacks.empty())
    parts.push_back("name lacks " + listed(condition.name_lacks, " and ", as_it_is));
  return listed(parts, ", ", as_it_is);
}

std::optional<bool> is_open(const Condition& condition, const DeviceAnswers& answers) {
  if (condition.empty()) return std::nullopt;
  if (condition.never) return false;
  const std::string name = lower(answers.name);
  const auto is_in_name = [&](const std::string& part) {
    return name.find(lower(part)) != std::string::npos;
  };
  const auto holds = [&](const std::vector<GpuFamily>& all) {
    return std::ranges::all_of(all, [&](GpuFamily family) { return answers.supports(family); });
  };
  const bool has_families = condition.any_of.empty() || std::ranges::any_of(condition.any_of, holds);
  const bool has_name = condition.name_has.empty() || std::ranges::any_of(condition.name_has, is_in_name);
  return has_families && has_name && std::ranges::none_of(condition.name_lacks, is_in_name);
}

std::vector<ProgramItem> Program::items_of(ItemKind kind) const {
  std::vector<ProgramItem> all;
  std::ranges::copy_if(items, std::back_inserter(all), [&](const auto& item) { return item.kind == kind; });
  return all;
}

bool is_recognised(const Program& program, std::string_view file, const std::vector<std::string>& libraries) {
  if (!program.recognition) return false;
  const Recognition& known = *program.recognition;
  if (std::ranges::find(known.names, file_name(file)) != known.names.end()) return true;
  return std::ranges::any_of(libraries, [&](const std::string& library) {
    return std::ranges::any_of(known.libraries,
                               [&](const std::string& name) { return is_library(library, name); });
  });
}

bool is_about(const ProgramItem& gate, const Operation& operation) {
  const auto has = [&](const std::string& pattern) { return has_types(operation, pattern); };
  const bool is_named = std::ranges::any_of(
      gate.operations, [&](const std::string& name) { return name == "*" || name == operation.name; });
  return is_named && (gate.types.empty() || std::ranges::any_of(gate.types, has)) &&
         std::ranges::none_of(gate.not_types, has);
}

bool does_operation(const Program& program, const Operation& operation, const DeviceAnswers& answers) {
  return std::ranges::all_of(program.items, [&](const ProgramItem& item) {
    return item.kind != ItemKind::gate || !is_about(item, operation) ||
           is_open(item.condition, answers).value_or(true);
  });
}

std::vector<ProgramItem> bad_guests_here(const Program& program, const Machine& machine) {
  std::vector<ProgramItem> here = program.items_of(ItemKind::bad_guest);
  std::erase_if(here, [&](const ProgramItem& item) {
    return std::ranges::none_of(
        item.versions, [&](const std::string& version) { return is_version(machine.os_version, version); });
  });
  return here;
}

}  // namespace metal_unlock
