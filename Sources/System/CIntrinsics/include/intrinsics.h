// Compiler intrinsics that Swift has no spelling for.
#pragma once

#include <stddef.h>
#include <string.h>
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

/// Overwrites memory with zeros, even if the compiler sees that nothing reads it afterwards.
static inline void intrinsics_erase(void *address, size_t byte_count) {
    memset(address, 0, byte_count);
    // For the compiler, this statement reads all memory that the address leads to.
    __asm__ volatile("" : : "r"(address) : "memory");
}
