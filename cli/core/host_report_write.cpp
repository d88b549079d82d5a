// SPDX-License-Identifier: MIT
#include "cli/core/host_report.hpp"
#include "cli/core/need.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/toml_write.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

bool is_of_the_host(const DeviceAnswers& device) {
  const bool is_paravirtual =
      std::ranges::find(paravirtual_device_classes, device.class_name) != paravirtual_device_classes.end();
  return !is_paravirtual && device.highest_apple_family() && device.max_threadgroup_memory.count > 0;
}

std::vector<GpuFamily> refused_by(const DeviceAnswers& device) {
  std::vector<GpuFamily> refused;
  for (const auto& [first, last] : asked_families())
    for (std::uint32_t number = first; number <= last; ++number)
      if (!device.supports({number})) refused.push_back({number});
  return refused;
}

/// One line for each range, so that people see Apple 7 and Metal 4 at a glance.
std::string families_toml(const std::vector<GpuFamily>& families) {
  std::string text = "[";
  std::size_t next = 0;
  while (next < families.size()) {
    const FamilyRange range = range_of(families[next]);
    const GpuFamily first = families[next];
    text += "\n ";
    for (; next < families.size() && range_of(families[next]) == range; ++next)
      text += formatted(" {},", families[next].number);
    const GpuFamily last = families[next - 1];
    text += first == last ? formatted("  # {}", to_text(first))
                          : formatted("  # {} to {}", to_text(first), to_text(last));
  }
  return text + (families.empty() ? "]" : "\n]");
}

void add_text(std::string& toml, std::string_view key, const std::string& text) {
  if (!text.empty()) toml += formatted("{} = {}\n", key, toml_string(text));
}

void add_size(std::string& toml, std::string_view key, const std::optional<Bytes>& size) {
  if (size) toml += formatted("{} = {}  # {}\n", key, size->count, to_text(*size));
}

}  // namespace

Result<HostReport> make_host_report(const Machine& machine, const std::vector<DeviceAnswers>& devices,
                                    std::string_view tool_version) {
  const Need need = need_of(machine);
  if (need != Need::bare_metal)
    return Finding{FindingId::host_only, formatted("{}, and no host", reason_text(need, machine)),
                   "run it on the physical Mac, outside of the virtual machine"};
  const auto device = std::ranges::find_if(devices, is_of_the_host);
  if (device == devices.end())
    return Finding{FindingId::no_device, "Metal has no device of an Apple family on this host",
                   "see what it answers: metal-unlock probe"};
  return HostReport{.path = {},
                    .tool_version = std::string{tool_version},
                    .chip = machine.chip,
                    .model = machine.model,
                    .os_version = machine.os_version,
                    .os_build = machine.os_build,
                    .device = *device,
                    .refused = refused_by(*device),
                    .gpu_cores = machine.gpu_cores};
}

std::string host_report_toml(const HostReport& report) {
  const DeviceAnswers& device = report.device;
  std::string toml = formatted("# What Metal answers on the host. A guest reads it as {}.\nschema = {}\n",
                               host_report_name, HostReport::schema);
  add_text(toml, "tool", report.tool_version);
  toml += "\n[host]\n";
  add_text(toml, "chip", report.chip);
  add_text(toml, "model", report.model);
  add_text(toml, "os_version", report.os_version);
  add_text(toml, "os_build", report.os_build);
  toml += "\n[device]\n";
  add_text(toml, "name", device.name);
  add_text(toml, "architecture", device.architecture);
  if (report.gpu_cores) toml += formatted("gpu_cores = {}\n", *report.gpu_cores);
  toml += formatted("unified_memory = {}\n", device.unified_memory);
  add_size(toml, "max_threadgroup_memory", device.max_threadgroup_memory);
  add_size(toml, "recommended_max_working_set", device.recommended_max_working_set);
  add_size(toml, "max_buffer_length", device.max_buffer_length);
  toml += formatted("families = {}\n", families_toml(device.families));
  if (!report.refused.empty())
    toml += formatted("# Asked about as well, and answered with no:\nrefused_families = {}\n",
                      families_toml(report.refused));
  return toml;
}

}  // namespace metal_unlock
