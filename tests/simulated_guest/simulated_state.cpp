// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/simulated_state.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace metal_unlock {
namespace {

/// All that /proc/stat counts but waiting: user, nice, system, then after the two idle ones irq and softirq.
std::optional<double> busy_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, kernel = 0, idle = 0, waiting = 0, irq = 0, softirq = 0;
  if (!(file >> word >> user >> nice >> kernel >> idle >> waiting >> irq >> softirq)) return std::nullopt;
  return (user + nice + kernel + irq + softirq) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

MachineState recorded_state(const std::string& path, MachineState state) {
  std::ifstream file(path);
  std::string word;
  for (double number = 0; file >> word >> number;) {
    if (word == "processors") state.processors = static_cast<unsigned>(number);
    if (word == "busy") state.busy_seconds = number;
    if (word == "battery") state.on_battery = number != 0;
    if (word == "heat") state.thermal_pressure = static_cast<unsigned>(number);
  }
  return state;
}

}  // namespace

MachineState simulated_state(const System& system, MachineState state) {
  if (const auto path = system.environment().get_non_empty("METAL_UNLOCK_MACHINE_STATE"))
    return recorded_state(std::string{*path}, state);
  state.busy_seconds = busy_seconds();
  return state;
}

}  // namespace metal_unlock
