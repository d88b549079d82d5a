// SPDX-License-Identifier: MIT
#pragma once

// Needed to compile the allocation of buffers, which never happens here.

#include <stdint.h>

typedef int kern_return_t;
typedef unsigned vm_map_t;
typedef uintptr_t vm_address_t;

enum { KERN_SUCCESS = 0, KERN_FAILURE = 5, VM_FLAGS_ANYWHERE = 1 };

static inline vm_map_t mach_task_self(void) { return 0; }
static inline kern_return_t vm_allocate(vm_map_t map, void* address, uintptr_t size, int flags) {
  return KERN_FAILURE;
}
static inline kern_return_t vm_deallocate(vm_map_t map, vm_address_t address, uintptr_t size) {
  return KERN_SUCCESS;
}
