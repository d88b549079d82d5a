// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/device_factory.h"
#include "tests/simulated_guest/device_state.hpp"
#include "tests/simulated_guest/recorded_guest.hpp"

#include <cstdio>
#include <string>

namespace {

/// The recorded guest and its devices. Never destroyed: a client may ask until the very end of the process.
struct Guest {
  metal_unlock::GuestReport report;
  std::vector<id> devices;
  id<StandInArray> array = nil;
};

metal_unlock::GuestReport none(const metal_unlock::Finding& finding) {
  std::fprintf(stderr, "Metal stand-in: no device: %s\n", finding.sentence.c_str());
  return {};
}

metal_unlock::GuestReport report_or_none() {
  auto loaded = metal_unlock::load_recorded_guest();
  if (!loaded) return none(loaded.finding());
  auto faults = metal_unlock::load_recorded_faults();
  if (!faults) return none(faults.finding());
  metal_unlock::set_device_faults(*std::move(faults));
  return *std::move(loaded);
}

const Guest* make_guest() {
  auto* guest = new Guest{.report = report_or_none(), .devices = {}};
  for (const auto& answers : guest->report.devices) {
    const id device = make_device(answers);
    if (device != nil) guest->devices.push_back(device);
  }
  guest->array = [[MTLStandInArray alloc] initWithObjects:guest->devices.data() count:guest->devices.size()];
  return guest;
}

/// Made when first asked, so that a process that only loads Metal pays for nothing.
const Guest& guest() {
  static const Guest* const made = make_guest();
  return *made;
}

}  // namespace

id<MTLDevice> MTLCreateSystemDefaultDevice(void) {
  return guest().devices.empty() ? nil : guest().devices.front();
}

id<StandInArray> MTLCopyAllDevices(void) { return guest().array; }
