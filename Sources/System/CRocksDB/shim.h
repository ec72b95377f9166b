// The system's RocksDB, through its C interface, as DurableStore (its only Swift owner) sees it.
#pragma once
#include <fcntl.h>
#include <linux/stat.h>
#include <rocksdb/c.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Exchanges two names atomically (renameat2 with RENAME_EXCHANGE, which Swift does not import);
/// returns 0 on success.
static inline int exchange_names(const char *left, const char *right) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, left, AT_FDCWD, right, 2);
}

/// Whether a folder is a mount point, bind mounts included (statx, which Swift does not import): 1
/// or 0; also 0 if the system does not report it.
static inline int is_mount_point(const char *path) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) != 0) return 0;
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}
