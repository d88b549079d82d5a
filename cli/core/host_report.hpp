// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  std::optional<std::uint32_t> gpu_cores;

  bool operator==(const HostReport&) const = default;
};

/// Reads a host report. The finding (host-report-invalid) says file, line, column and reason; a report whose
/// Apple families have a gap is refused, since every device answers yes to all families below its own.
Result<HostReport> parse_host_report(std::string_view text, std::string_view path);

}  // namespace metal_unlock
