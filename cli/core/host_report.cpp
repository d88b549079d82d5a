// SPDX-License-Identifier: MIT
#include "cli/core/host_report.hpp"

#include "cli/core/text_format.hpp"
#include "cli/core/toml_reader.hpp"

#include <algorithm>
#include <limits>

namespace metal_unlock {
namespace {

constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();

Bytes size_of(TomlReader& reader, const TomlNode& node) {
  return Bytes{static_cast<std::uint64_t>(reader.integer(node, 1, largest_integer))};
}

std::vector<GpuFamily> families_of(TomlReader& reader, const TomlNode& node) {
  std::vector<GpuFamily> families;
  for (const TomlNode& element : reader.elements_of(node))
    families.push_back(GpuFamily{static_cast<std::uint32_t>(reader.integer(element, 1, 99999))});
  std::ranges::sort(families);
  std::uint32_t expected = first_apple_family.number;
  for (const GpuFamily family : families) {
    if (range_of(family) != FamilyRange::apple) continue;
    if (family.number != expected)
      reader.fail(node.at,
                  formatted("families names {} without {}", to_text(family), to_text(GpuFamily{expected})));
    ++expected;
  }
  return families;
}

/// The families that were asked about and answered with no.
std::vector<GpuFamily> refused_of(TomlReader& reader, const TomlNode& node) {
  std::vector<GpuFamily> families;
  for (const TomlNode& element : reader.elements_of(node))
    families.push_back(GpuFamily{static_cast<std::uint32_t>(reader.integer(element, 1, 99999))});
  return families;
}

void read_host(TomlReader& reader, const TomlNode& table, HostReport& into) {
  reader.read_table(table,
                    {{"chip", [&](const TomlNode& node) { into.chip = reader.text(node); }},
                     {"model", [&](const TomlNode& node) { into.model = reader.text(node); }},
                     {"os_version", [&](const TomlNode& node) { into.os_version = reader.text(node); }},
                     {"os_build", [&](const TomlNode& node) { into.os_build = reader.text(node); }}});
  if (into.chip.empty()) reader.fail(table.at, "chip is missing");
}

void read_device(TomlReader& reader, const TomlNode& table, HostReport& into) {
  DeviceAnswers& device = into.device;
  const auto cores = [&](const TomlNode& node) {
    into.gpu_cores = static_cast<std::uint32_t>(reader.integer(node, 1, 1024));
  };
  const auto working_set = [&](const TomlNode& node) {
    device.recommended_max_working_set = size_of(reader, node);
  };
  const auto threadgroup = [&](const TomlNode& node) {
    device.max_threadgroup_memory = size_of(reader, node);
  };
  reader.read_table(
      table,
      {{"name", [&](const TomlNode& node) { device.name = reader.text(node); }},
       {"architecture", [&](const TomlNode& node) { device.architecture = reader.text(node); }},
       {"families", [&](const TomlNode& node) { device.families = families_of(reader, node); }},
       {"refused_families", [&](const TomlNode& node) { into.refused = refused_of(reader, node); }},
       {"max_threadgroup_memory", threadgroup},
       {"recommended_max_working_set", working_set},
       {"max_buffer_length", [&](const TomlNode& node) { device.max_buffer_length = size_of(reader, node); }},
       {"unified_memory", [&](const TomlNode& node) { device.unified_memory = reader.boolean(node); }},
       {"gpu_cores", cores}});
  for (const GpuFamily family : into.refused)
    if (device.supports(family))
      reader.fail(table.at, formatted("{} is among families and refused_families", to_text(family)));
  if (!device.highest_apple_family()) reader.fail(table.at, "families names no Apple family");
  if (device.max_threadgroup_memory.count == 0) reader.fail(table.at, "max_threadgroup_memory is missing");
}

}  // namespace

Result<HostReport> parse_host_report(std::string_view text, std::string_view path) {
  const std::string next = "make a fresh report on the host, or start without this one";
  const Result<TomlNode> document = parse_toml(text, path, FindingId::host_report_invalid, next);
  if (!document) return document.finding();
  HostReport report;
  report.path = path;
  TomlReader reader{path, FindingId::host_report_invalid, next};
  bool has_schema = false;
  const auto read_schema = [&](const TomlNode& node) {
    const std::int64_t schema = reader.integer(node, 1, largest_integer);
    if (schema != HostReport::schema)
      reader.fail(node.at, formatted("schema is {}, this program reads {}", schema, HostReport::schema));
    has_schema = true;
  };
  reader.read_table(*document,
                    {{"schema", read_schema},
                     {"tool", [&](const TomlNode& node) { report.tool_version = reader.text(node); }},
                     {"host", [&](const TomlNode& node) { read_host(reader, node, report); }},
                     {"device", [&](const TomlNode& node) { read_device(reader, node, report); }}});
  if (!has_schema) reader.fail({}, "schema is missing");
  if (report.chip.empty()) reader.fail({}, "[host] is missing");
  if (report.device.families.empty()) reader.fail({}, "[device] is missing");
  if (auto finding = reader.first_finding()) return *std::move(finding);
  return report;
}

}  // namespace metal_unlock
