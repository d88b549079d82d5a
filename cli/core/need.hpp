// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace metal_unlock {

/// I/O registry class of the virtual GPU, and the Objective-C class its Metal driver makes devices of.
inline constexpr std::string_view paravirtual_accelerator = "AppleParavirtGPU";
inline constexpr std::array<std::string_view, 1> paravirtual_device_classes{"AppleParavirtDevice"};

/// Whether there is anything to unlock on a machine.
enum class Need : std::uint8_t {
  guest,  ///< a macOS guest with a paravirtual GPU
  guest_without_gpu,
  bare_metal,
  no_mac,  ///< another operating system, or a Mac without Apple silicon
};

Need need_of(const Machine& machine);

/// One clause for -v, --dry-run and doctor: "this is bare metal (Mac13,2)".
std::string reason_text(Need need, const Machine& machine);

}  // namespace metal_unlock
