// Compiler intrinsics that Swift has no spelling for.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

/// Asks the processor to load the cache line at `address`, for reading, and returns at once. Any
/// address may be passed: a prefetch never faults.
static inline void intrinsics_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}

/// Asks the system to back this memory, aligned to 2 MiB at both ends, by huge pages; it may
/// refuse.
static inline void intrinsics_use_huge_pages(void *address, size_t byte_count) {
    (void)madvise(address, byte_count, MADV_HUGEPAGE);
}
