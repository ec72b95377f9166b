// Compiler intrinsics that Swift has no spelling for.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

/// Asks the processor to bring the cache line at `address` close, for reading, and returns at once.
/// Any address may be given: a prefetch never faults.
static inline void intrinsics_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}

/// Asks the system for huge pages in memory that begins and ends at 2 MiB; it may have none.
static inline void intrinsics_use_huge_pages(void *address, size_t byte_count) {
    (void)madvise(address, byte_count, MADV_HUGEPAGE);
}
