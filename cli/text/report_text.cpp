// SPDX-License-Identifier: MIT
#include "cli/text/report_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {
namespace {

std::string size_text(const std::optional<Bytes>& size) { return size ? to_text(*size) : "unknown"; }

/// "5" for Apple5.
std::string generation_text(GpuFamily family) {
  const std::string name = to_text(family);
  return name.substr(name.find_first_of("0123456789"));
}

/// "Apple1–Apple5, Common1–Common3" would hide a gap, so a run of families is shown only where it has none.
std::string families_text(const std::vector<GpuFamily>& families) {
  std::string text;
  for (std::size_t first = 0; first < families.size();) {
    std::size_t last = first;
    const auto follows = [&](std::size_t i) {
      return families[i].number == families[i - 1].number + 1 &&
             range_of(families[i]) == range_of(families[i - 1]);
    };
    while (last + 1 < families.size() && follows(last + 1)) ++last;
    if (!text.empty()) text += ", ";
    text += to_text(families[first]);
    if (last > first) text += "-" + generation_text(families[last]);
    first = last + 1;
  }
  return text.empty() ? "none" : text;
}

std::string sip_text(SipState sip) {
  switch (sip) {
    case SipState::on:
      return "on";
    case SipState::off:
      return "off";
    case SipState::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string report_text(const GuestReport& report) {
  const Machine& machine = report.machine;
  Table table;
  table.add_row(
      {"system", printable(formatted("{} {} {}", machine.os, machine.os_version, machine.os_build))});
  table.add_row({"model", printable(formatted("{}{}", machine.model,
                                              machine.is_virtual ? " (a virtual machine)" : ""))});
  table.add_row({"chip", printable(machine.chip)});
  table.add_row({"SIP", sip_text(machine.sip)});
  if (report.devices.empty()) table.add_row({"device", "none"});
  for (const DeviceAnswers& device : report.devices) {
    table.add_row({"device", printable(formatted("{}, class {}{}", device.name, device.class_name,
                                                 report.unlocked ? ", unlocked" : ""))});
    table.add_row({"families", families_text(device.families)});
    table.add_row({"threadgroup memory", to_text(device.max_threadgroup_memory)});
    table.add_row({"working set", size_text(device.recommended_max_working_set)});
    table.add_row({"largest buffer", size_text(device.max_buffer_length)});
    table.add_row({"unified memory", device.unified_memory ? "yes" : "no"});
    table.add_row({"architecture", device.architecture.empty() ? "unknown" : printable(device.architecture)});
  }
  return table.text();
}

}  // namespace metal_unlock
