// SPDX-License-Identifier: MIT
#pragma once

#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach.h>

typedef mach_port_t io_object_t;
typedef io_object_t io_iterator_t;
typedef char io_name_t[128];

#ifdef __cplusplus
extern "C" {
#endif

CFMutableDictionaryRef IOServiceMatching(const char* class_name);
/// Takes over `matching`.
kern_return_t IOServiceGetMatchingServices(mach_port_t main_port, CFDictionaryRef matching,
                                           io_iterator_t* existing);
io_object_t IOIteratorNext(io_iterator_t iterator);
kern_return_t IOObjectGetClass(io_object_t object, io_name_t class_name);
kern_return_t IOObjectRelease(io_object_t object);

#ifdef __cplusplus
}
#endif
