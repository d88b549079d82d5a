// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bytes.hpp"
#include "cli/core/gpu_family.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

enum class SipState { on, off, unknown };

/// What `run` may know about this machine: read from sysctls, the I/O registry and files, never from Metal.
struct Machine {
  std::string os;            ///< "macOS"; anything else is no Mac
  std::string os_version;    ///< "26.5.2"
  std::string os_build;      ///< "25F84", empty where unknown
  std::string model;         ///< hw.model, "VirtualMac2,1" in every Virtualization.framework guest
  std::string chip;          ///< machdep.cpu.brand_string, in a guest the host's chip + " (Virtual)"
  std::string architecture;  ///< "arm64" or "x86_64"
  bool is_virtual = false;   ///< kern.hv_vmm_present
  SipState sip = SipState::unknown;
  std::vector<std::string> accelerators;  ///< I/O registry classes of the GPUs
  std::optional<std::uint32_t> gpu_cores =
      std::nullopt;  ///< of the first of them, where the registry says so

  bool operator==(const Machine&) const = default;
};

/// What one Metal device answers.
struct DeviceAnswers {
  std::string name;                                  ///< MTLDevice.name
  std::string class_name;                            ///< Objective-C class
  std::string architecture;                          ///< MTLDevice.architecture.name, empty before macOS 14
  std::vector<GpuFamily> families;                   ///< every family answered with yes, ascending
  Bytes max_threadgroup_memory;                      ///< maxThreadgroupMemoryLength
  std::optional<Bytes> recommended_max_working_set;  ///< recommendedMaxWorkingSetSize
  std::optional<Bytes> max_buffer_length;            ///< maxBufferLength
  bool unified_memory = false;                       ///< hasUnifiedMemory

  bool operator==(const DeviceAnswers&) const = default;

  bool supports(GpuFamily family) const;
  /// The highest Apple family answered with yes; nothing where none is.
  std::optional<GpuFamily> highest_apple_family() const;
};

/// Everything observed about a machine: the format of `probe --json` and of `tests/guests/*.json`.
struct GuestReport {
  static constexpr int schema = 1;

  std::string tool_version;
  bool unlocked = false;
  Machine machine;
  std::vector<DeviceAnswers> devices;

  bool operator==(const GuestReport&) const = default;
};

/// The host's chip: the brand string without its " (Virtual)" suffix.
std::string physical_chip(const Machine& machine);

/// Reads a report and never throws for what it reads. `name` is used in the sentence of a failure. Unknown
/// keys are ignored, so that a recorded file may say where it comes from; a missing or mistyped one is an
/// error that names it, a syntax error one that gives line and column. Null stands for an unknown build,
/// architecture or size.
Result<GuestReport> parse_guest_report(std::string_view text, std::string_view name);

/// The report as indented JSON with a final newline: keys in one fixed order, null where something is
/// unknown.
std::string guest_report_json(const GuestReport& report);

}  // namespace metal_unlock
