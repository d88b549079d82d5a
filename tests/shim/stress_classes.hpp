// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace metal_unlock {

/// Classes of stress-client that do not exist before its threads make their devices, and such that do.
inline const std::string late = "BundleDevice,SecondBundleDevice,ThirdBundleDevice,FourthBundleDevice";
inline const std::string early = "PlainDevice,OwnDevice,OtherDevice,WarmDevice";

/// What tells the shim of `classes` to claim Apple 7 and 32 KiB.
inline std::string handoff_for(std::string classes) {
  for (std::size_t comma; (comma = classes.find(',')) != std::string::npos;)
    classes.replace(comma, 1, ";class=");
  return "class=" + classes + ";apple-family=1007;max-threadgroup-memory=32768";
}

}  // namespace metal_unlock
