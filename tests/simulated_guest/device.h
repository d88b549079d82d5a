// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "tests/simulated_guest/stand_in_objects.h"

#include <vector>

/// The base class of every Metal device. As in Apple's, a device keeps a table of families of its own that
/// `initGPUFamilySupport` fills while the device is initialised, and that `supportsFamily:` looks up.
@interface _MTLDevice : MTLStandInObject <MTLDevice> {
  const metal_unlock::DeviceAnswers* answers_;
  std::vector<metal_unlock::GpuFamily>* supported_families_;
  id<StandInString> name_;
  id<MTLArchitecture> architecture_;
}
/// Takes a reference to `answers`, which must outlive the device, then does what `init` does.
- (id)initWithAnswers:(const metal_unlock::DeviceAnswers*)answers;
#ifndef STAND_IN_WITHOUT_INIT_GPU_FAMILY_SUPPORT
- (void)initGPUFamilySupport;
#endif
@end

/// The paravirtual device: everything that can be asked is inherited.
@interface AppleParavirtDevice : _MTLDevice
@end

/// An ordinary GPU, which answers one question itself.
@interface AGXG13XDevice : _MTLDevice
@end
