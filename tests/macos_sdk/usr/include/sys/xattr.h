// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#define XATTR_NOFOLLOW 0x0001

#ifdef __cplusplus
extern "C" {
#endif

ssize_t getxattr(const char* path, const char* name, void* value, size_t size, u_int32_t position,
                 int options);

#ifdef __cplusplus
}
#endif
