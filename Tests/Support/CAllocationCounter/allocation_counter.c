#include "allocation_counter.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

// A sanitizer brings an allocator of its own, which must not be replaced.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local bool is_counting;
static _Thread_local uint64_t allocation_count;
static _Thread_local uint64_t byte_count;

void allocation_counter_start(void) {
    allocation_count = 0;
    byte_count = 0;
    is_counting = true;
}

uint64_t allocation_counter_stop(void) {
    is_counting = false;
    return allocation_count;
}

uint64_t allocation_counter_bytes(void) { return byte_count; }

#if defined(__GLIBC__) && !defined(SANITIZED)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static inline void count_one(size_t size) {
    if (!is_counting) return;
    allocation_count++;
    byte_count += size;
}

void *malloc(size_t size) {
    count_one(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_one(size);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count_one(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_one(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    count_one(size);
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *block = memory;
    return 0;
}

#endif
