// The system's libuv, as LibuvLoop (its only Swift owner) sees it. What Swift cannot import
// (macros, variadic functions) becomes a documented static inline function here.
#pragma once
#include <uv.h>

/// A counter that rises at a constant rate, alike on every core: the one that the kernel makes its
/// monotonic clock of, read without the clock's arithmetic. `LoopMeter` measures its rate.
static inline uint64_t libuv_cycles(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return uv_hrtime();
#endif
}
