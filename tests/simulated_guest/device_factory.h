// SPDX-License-Identifier: MIT
#pragma once

#include "tests/simulated_guest/device.h"

/// Makes the device that clients are given for `answers`, which must outlive it. Nil, after one line on
/// stderr, where its class cannot be had.
///
/// This is where a variant of the stand-in differs: one that brings the concrete class in with a bundle, or
/// puts an object of another class around the device, replaces device_factory.mm.
id<MTLDevice> make_device(const metal_unlock::DeviceAnswers& answers);
