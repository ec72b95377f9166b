// Writes down all that a process does to the files below DISK_TRACE_FOLDER, in the order in which it
// happens, to the file DISK_TRACE_FILE; put before the C library's functions by LD_PRELOAD.
//
// Each record is a line, followed for writes by the bytes:
//
//   C inode path        a file was made           M path          a folder was made
//   W inode at count    bytes were written        V path          a folder was deleted
//   T inode count       it was cut off, or grew   U path          a name was deleted
//   S inode             a file was synced         D path          a folder was synced
//   R path              … and on the next line the second path: renamed
//   X path              … exchanged               L path          … linked

#define _GNU_SOURCE
#include "descriptor_paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(result, name, ...) ((result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

// Held while a call is made and written down, so that both have the same order.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_watched(const char *path) {
    const char *folder = getenv("DISK_TRACE_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void record(const char *line, const void *bytes, size_t count) {
    int saved = errno;
    int file = NEXT(int, "open", const char *, int, ...)(
        getenv("DISK_TRACE_FILE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct iovec parts[] = {{(void *)line, strlen(line)}, {(void *)bytes, count}};
    ssize_t all = strlen(line) + count;
    if (file < 0 || NEXT(ssize_t, "writev", int, const struct iovec *, int)(file, parts, 2) != all)
        abort();
    close(file);
    errno = saved;
}

static unsigned long long inode_of(int descriptor) {
    struct stat status;
    int saved = errno;
    if (fstat(descriptor, &status) != 0) status.st_ino = 0;
    errno = saved;
    return status.st_ino;
}

static void record_paths(char what, const char *first, const char *second) {
    char line[2 * PATH_MAX + 8];
    if (second) snprintf(line, sizeof line, "%c %s\n%s\n", what, first, second);
    else snprintf(line, sizeof line, "%c %s\n", what, first);
    record(line, NULL, 0);
}

static void record_numbers(char what, unsigned long long inode, long long at, long long count,
                           const void *bytes) {
    char line[128];
    if (what == 'W') snprintf(line, sizeof line, "W %llu %lld %lld\n", inode, at, count);
    else if (what == 'T') snprintf(line, sizeof line, "T %llu %lld\n", inode, count);
    else snprintf(line, sizeof line, "%c %llu\n", what, inode);
    record(line, bytes, what == 'W' ? count : 0);
}

// Calls about names.
#define NAME_CALL(what, name, first, second, parameters, types, arguments) \
    int name parameters { \
        char one[PATH_MAX] = "", two[PATH_MAX] = ""; \
        const char *path = first, *other = second; \
        (void)two; \
        if (!is_watched(path)) return NEXT(int, #name, types) arguments; \
        pthread_mutex_lock(&lock); \
        int result = NEXT(int, #name, types) arguments; \
        if (result == 0) record_paths(what, path, other); \
        pthread_mutex_unlock(&lock); \
        return result; \
    }
#define LIST(...) __VA_ARGS__
#define ONE(folder, name) path_at(folder, name, one)
#define TWO(folder, name) path_at(folder, name, two)

NAME_CALL('U', unlink, ONE(AT_FDCWD, a), NULL, (const char *a), LIST(const char *), (a))
NAME_CALL('V', rmdir, ONE(AT_FDCWD, a), NULL, (const char *a), LIST(const char *), (a))
NAME_CALL((f & AT_REMOVEDIR) ? 'V' : 'U', unlinkat, ONE(d, a), NULL, (int d, const char *a, int f),
          LIST(int, const char *, int), (d, a, f))
NAME_CALL('M', mkdir, ONE(AT_FDCWD, a), NULL, (const char *a, mode_t m), LIST(const char *, mode_t),
          (a, m))
NAME_CALL('M', mkdirat, ONE(d, a), NULL, (int d, const char *a, mode_t m),
          LIST(int, const char *, mode_t), (d, a, m))
NAME_CALL('R', rename, ONE(AT_FDCWD, a), TWO(AT_FDCWD, b), (const char *a, const char *b),
          LIST(const char *, const char *), (a, b))
NAME_CALL('R', renameat, ONE(d, a), TWO(e, b), (int d, const char *a, int e, const char *b),
          LIST(int, const char *, int, const char *), (d, a, e, b))
NAME_CALL((f & 2) ? 'X' : 'R', renameat2, ONE(d, a), TWO(e, b),
          (int d, const char *a, int e, const char *b, unsigned f),
          LIST(int, const char *, int, const char *, unsigned), (d, a, e, b, f))
NAME_CALL('L', link, ONE(AT_FDCWD, a), TWO(AT_FDCWD, b), (const char *a, const char *b),
          LIST(const char *, const char *), (a, b))
NAME_CALL('L', linkat, ONE(d, a), TWO(e, b), (int d, const char *a, int e, const char *b, int f),
          LIST(int, const char *, int, const char *, int), (d, a, e, b, f))

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_renameat2)
        return renameat2((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (unsigned)a[4]);
    return NEXT(long, "syscall", long, long, long, long, long, long, long)(number, a[0], a[1], a[2],
                                                                           a[3], a[4], a[5]);
}

static int open_at(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX] = "";
    // What is played of this is a loss of power: each process runs in another boot of the machine.
    if (strcmp(name, "/proc/sys/kernel/random/boot_id") == 0) name = "/proc/sys/kernel/random/uuid";
    path_at(folder, name, path);
    int (*open_next)(int, const char *, int, ...) = NEXT(int, "openat", int, const char *, int, ...);
    if (!is_watched(path) || !(flags & (O_CREAT | O_TRUNC))) return open_next(folder, name, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = access(path, F_OK) != 0;
    int file = open_next(folder, name, flags, mode);
    if (file >= 0 && is_new) {
        char line[PATH_MAX + 64];
        snprintf(line, sizeof line, "C %llu %s\n", inode_of(file), path);
        record(line, NULL, 0);
    } else if (file >= 0 && (flags & O_TRUNC)) {
        record_numbers('T', inode_of(file), 0, 0, NULL);
    }
    pthread_mutex_unlock(&lock);
    return file;
}

#define OPEN(name, parameters, folder) \
    int name parameters { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        return open_at(folder, path, flags, mode); \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)

// RocksDB's own log is written with these.
static FILE *open_stream(const char *function, const char *path, const char *mode) {
    char buffer[PATH_MAX] = "";
    path_at(AT_FDCWD, path, buffer);
    int is_new = is_watched(buffer) && access(buffer, F_OK) != 0;
    FILE *file = NEXT(FILE *, function, const char *, const char *)(path, mode);
    if (file && is_new) {
        char line[PATH_MAX + 64];
        snprintf(line, sizeof line, "C %llu %s\n", inode_of(fileno(file)), buffer);
        pthread_mutex_lock(&lock);
        record(line, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return file;
}
FILE *fopen(const char *path, const char *mode) { return open_stream("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_stream("fopen64", path, mode); }

// Calls about what is in a file.
static int sync_file(const char *name, int descriptor) {
    char path[PATH_MAX] = "";
    if (!is_watched(path_of(descriptor, path))) return NEXT(int, name, int)(descriptor);
    pthread_mutex_lock(&lock);
    int result = NEXT(int, name, int)(descriptor);
    struct stat status;
    if (result == 0 && fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode)) record_paths('D', path, NULL);
        else record_numbers('S', status.st_ino, 0, 0, NULL);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int d) { return sync_file("fsync", d); }
int fdatasync(int d) { return sync_file("fdatasync", d); }
int syncfs(int d) { (void)d; abort(); }

static int cut(const char *name, int d, off_t count) {
    char path[PATH_MAX] = "";
    int is = is_watched(path_of(d, path));
    pthread_mutex_lock(&lock);
    int result = NEXT(int, name, int, off_t)(d, count);
    if (result == 0 && is) record_numbers('T', inode_of(d), 0, count, NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int d, off_t n) { return cut("ftruncate", d, n); }
int ftruncate64(int d, off_t n) { return cut("ftruncate64", d, n); }

static int reserve(const char *name, int d, int mode, off_t at, off_t count) {
    char path[PATH_MAX] = "";
    int is = is_watched(path_of(d, path));
    struct stat before, after;
    pthread_mutex_lock(&lock);
    fstat(d, &before);
    int result = NEXT(int, name, int, int, off_t, off_t)(d, mode, at, count);
    if (result == 0 && is && fstat(d, &after) == 0 && after.st_size != before.st_size)
        record_numbers('T', after.st_ino, 0, after.st_size, NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

int fallocate(int d, int m, off_t o, off_t n) { return reserve("fallocate", d, m, o, n); }
int fallocate64(int d, int m, off_t o, off_t n) { return reserve("fallocate64", d, m, o, n); }

ssize_t pwrite(int d, const void *bytes, size_t count, off_t at) {
    char path[PATH_MAX] = "";
    int is = is_watched(path_of(d, path));
    if (is) pthread_mutex_lock(&lock);
    ssize_t done = NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t)(d, bytes, count, at);
    if (is && done > 0) record_numbers('W', inode_of(d), at, done, bytes);
    if (is) pthread_mutex_unlock(&lock);
    return done;
}
ssize_t pwrite64(int d, const void *bytes, size_t count, off_t at) { return pwrite(d, bytes, count, at); }

ssize_t write(int d, const void *bytes, size_t count) {
    char path[PATH_MAX] = "";
    int is = is_watched(path_of(d, path));
    if (is) pthread_mutex_lock(&lock);
    ssize_t done = NEXT(ssize_t, "write", int, const void *, size_t)(d, bytes, count);
    if (is && done > 0) record_numbers('W', inode_of(d), lseek(d, 0, SEEK_CUR) - done, done, bytes);
    if (is) pthread_mutex_unlock(&lock);
    return done;
}

ssize_t writev(int d, const struct iovec *parts, int count) {
    char path[PATH_MAX] = "";
    if (!is_watched(path_of(d, path)))
        return NEXT(ssize_t, "writev", int, const struct iovec *, int)(d, parts, count);
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = write(d, parts[i].iov_base, parts[i].iov_len);
        if (done < 0) return all > 0 ? all : -1;
        all += done;
        if ((size_t)done < parts[i].iov_len) break;
    }
    return all;
}

ssize_t pwritev(int d, const struct iovec *parts, int count, off_t at) {
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = pwrite(d, parts[i].iov_base, parts[i].iov_len, at + all);
        if (done < 0) return all > 0 ? all : -1;
        all += done;
        if ((size_t)done < parts[i].iov_len) break;
    }
    return all;
}

// Whoever uses these falls back on reading and writing.
ssize_t copy_file_range(int s, off_t *i, int d, off_t *o, size_t n, unsigned f) {
    (void)s, (void)i, (void)d, (void)o, (void)n, (void)f;
    errno = ENOSYS;
    return -1;
}
