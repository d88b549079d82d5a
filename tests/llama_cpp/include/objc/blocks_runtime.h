// SPDX-License-Identifier: MIT
#pragma once

// GNUstep asks for this header wherever blocks are on; GCC's Objective-C runtime has none.

#include <Block.h>
