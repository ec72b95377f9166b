// Compiler intrinsics that Swift has no spelling for.
#pragma once

/// Asks the processor to bring the cache line at `address` close, for reading, and returns at once.
/// Any address may be given: a prefetch never faults.
static inline void intrinsics_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}
