// Counts the calls to the allocator that one thread makes, for tests alone.
//
// Linking this target replaces malloc and its relatives in the whole process by wrappers around
// glibc's own (__libc_malloc …), which count while the calling thread has asked for it.
#pragma once

#include <stdint.h>

/// Counts the calling thread's allocations from here on.
void allocation_counter_start(void);

/// Ends the counting and returns how many allocations the calling thread has made since the start:
/// malloc, calloc, realloc, memalign, aligned_alloc and posix_memalign, each call as one.
uint64_t allocation_counter_stop(void);

/// The bytes that these allocations asked for.
uint64_t allocation_counter_bytes(void);
