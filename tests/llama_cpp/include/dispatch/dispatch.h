// SPDX-License-Identifier: MIT
#pragma once

// libdispatch for one user: a group is over as soon as it is begun, since each block runs where it is handed
// in.

#include <stddef.h>

typedef void* dispatch_group_t;
typedef void* dispatch_queue_t;
typedef void* dispatch_semaphore_t;
typedef void (^dispatch_block_t)(void);

#define DISPATCH_TIME_FOREVER (~0ull)
enum { QOS_CLASS_DEFAULT = 0x15, QOS_CLASS_USER_INITIATED = 0x19 };

static inline dispatch_queue_t dispatch_get_global_queue(long priority, unsigned long flags) { return NULL; }
static inline dispatch_group_t dispatch_group_create(void) { return NULL; }
static inline void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue,
                                        dispatch_block_t block) {
  block();
}
static inline long dispatch_group_wait(dispatch_group_t group, unsigned long long timeout) { return 0; }
static inline void dispatch_release(void* object) {}

// Needed to compile the copying of tensors, which never happens here.
static inline dispatch_semaphore_t dispatch_semaphore_create(long count) { return NULL; }
static inline long dispatch_semaphore_signal(dispatch_semaphore_t semaphore) { return 0; }
static inline long dispatch_semaphore_wait(dispatch_semaphore_t semaphore, unsigned long long timeout) {
  return 0;
}
