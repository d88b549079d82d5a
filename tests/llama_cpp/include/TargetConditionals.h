// SPDX-License-Identifier: MIT
#pragma once

// An Apple silicon Mac, with the SDK before residency sets: those need a driver, and no operation depends on
// them.

#define TARGET_OS_OSX 1
#define TARGET_OS_IOS 0
#define TARGET_OS_TV 0
#define TARGET_OS_VISION 0
#define TARGET_CPU_X86_64 0
#define __MAC_OS_X_VERSION_MAX_ALLOWED 140000
