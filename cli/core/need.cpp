// SPDX-License-Identifier: MIT
#include "cli/core/need.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {

Need need_of(const Machine& machine) {
  if (machine.os != "macOS" || machine.architecture != "arm64") return Need::no_mac;
  if (!machine.is_virtual && !machine.model.starts_with("VirtualMac")) return Need::bare_metal;
  const bool has_gpu =
      std::ranges::find(machine.accelerators, paravirtual_accelerator) != machine.accelerators.end();
  return has_gpu ? Need::guest : Need::guest_without_gpu;
}

std::string reason_text(Need need, const Machine& machine) {
  switch (need) {
    case Need::guest:
      return formatted("this is a guest on {}", physical_chip(machine));
    case Need::guest_without_gpu:
      return "this guest has no paravirtual GPU";
    case Need::bare_metal:
      return formatted("this is bare metal ({})", machine.model);
    case Need::no_mac:
      break;
  }
  return formatted("this is no Mac with Apple silicon ({} on {})", machine.os, machine.architecture);
}

}  // namespace metal_unlock
