// The system's RocksDB, through its C interface, as DurableStore (its only Swift owner) sees it.
#pragma once
#include <fcntl.h>
#include <rocksdb/c.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Exchanges two names in one step (renameat2 with RENAME_EXCHANGE, which Swift does not import).
static inline int exchange_names(const char *left, const char *right) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, left, AT_FDCWD, right, 2);
}
