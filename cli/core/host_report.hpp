// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What the host's own Metal said, in a file that is carried to its guests.
struct HostReport {
  static constexpr int schema = 1;

  std::string path;  ///< as shown to people
  std::string tool_version;
  std::string chip;  ///< machdep.cpu.brand_string
  std::string model;
  std::string os_version;
  std::string os_build;
  DeviceAnswers device;
  std::vector<GpuFamily> refused;  ///< every other family that was asked about
  std::optional<std::uint32_t> gpu_cores;

  bool operator==(const HostReport&) const = default;
};

/// Reads a host report. The finding (host-report-invalid) says file, line, column and reason; a report whose
/// Apple families have a gap is refused, since every device answers yes to all families below its own.
Result<HostReport> parse_host_report(std::string_view text, std::string_view path);

/// The name under which a host report is looked for.
inline constexpr std::string_view host_report_name = "metal-unlock-host.toml";

/// What a host says of itself. A finding (host-only, no-device) where the machine is no host, or its Metal
/// has no device of Apple's.
Result<HostReport> make_host_report(const Machine& machine, const std::vector<DeviceAnswers>& devices,
                                    std::string_view tool_version);

/// The report as a file: `parse_host_report` reads it back.
std::string host_report_toml(const HostReport& report);

}  // namespace metal_unlock
