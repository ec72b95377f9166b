// A process that is killed, or whose disk fails, at the nth change to a file; put before the C library's
// functions by LD_PRELOAD.
//
// A change is a call that makes, writes, cuts, renames, links, deletes or syncs a file or folder below
// FILE_FAULTS_FOLDER, by whichever thread; they count from 1. RocksDB's own LOG does not count. At change
// number FILE_FAULTS_AT happens what FILE_FAULTS_KIND says:
//
//   kill  SIGKILL in the place of the call
//   torn  SIGKILL after half of a write, or after any other call
//   full  ENOSPC for whatever takes space, now and from then on
//   io    EIO, this time only
//   link  EPERM for links, from then on: as on a file system that has none
//
// FILE_FAULTS_TIMES is how often ENOSPC or EIO comes, of changes that follow each other, in place of that.
//
// Each change adds a line to FILE_FAULTS_LOG: its name, the path, and the number of bytes.

#define _GNU_SOURCE
#include "descriptor_paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// What becomes of a call. `half_then_die` and `die_after` end the process when it is done.
enum verdict { go_on, fails, half_then_die, die_after };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

static int is_watched(const char *path) {
    const char *folder = getenv("FILE_FAULTS_FOLDER");
    if (!folder || strncmp(path, folder, strlen(folder)) != 0) return 0;
    const char *base = strrchr(path, '/');
    return !base || (strcmp(base, "/LOG") != 0 && strncmp(base, "/LOG.old.", 9) != 0);
}

static void note(const char *name, const char *path, long long bytes) {
    const char *log = getenv("FILE_FAULTS_LOG");
    if (!log) return;
    // Its own descriptor each time: the process may close any that it does not know.
    int (*open_file)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    ssize_t (*put)(int, const void *, size_t) =
        (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    int file = open_file(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%s %s %lld\n", name, path, bytes);
    if (file < 0 || put(file, line, length) != length) abort();
    close(file);
}

// Counts a change; `takes_space` says whether a full disk keeps it from happening.
static enum verdict decide(const char *name, const char *path, long long bytes, int takes_space) {
    if (!is_watched(path)) return go_on;
    const char *kind = getenv("FILE_FAULTS_KIND"), *at = getenv("FILE_FAULTS_AT");
    const char *times = getenv("FILE_FAULTS_TIMES");
    long limit = at ? atol(at) : 0;
    long io_end = limit + (times ? atol(times) : 1);
    long full_end = times ? limit + atol(times) : LONG_MAX;
    int saved = errno;
    pthread_mutex_lock(&lock);
    long number = ++count;
    note(name, path, bytes);
    enum verdict verdict = go_on;
    if (kind && limit > 0) {
        if (number == limit && strcmp(kind, "kill") == 0) kill(getpid(), SIGKILL);
        if (number == limit && strcmp(kind, "torn") == 0)
            verdict = bytes > 0 ? half_then_die : die_after;
        if (number >= limit && number < io_end && strcmp(kind, "io") == 0)
            verdict = fails, saved = EIO;
        if (number >= limit && number < full_end && strcmp(kind, "full") == 0 && takes_space)
            verdict = fails, saved = ENOSPC;
        if (number >= limit && strcmp(kind, "link") == 0 && strncmp(name, "link", 4) == 0)
            verdict = fails, saved = EPERM;
    }
    // Another thread's change must not come between this one and the end.
    if (verdict != half_then_die && verdict != die_after) pthread_mutex_unlock(&lock);
    errno = saved;
    return verdict;
}

static long finish(enum verdict verdict, long result) {
    if (verdict == die_after || verdict == half_then_die) kill(getpid(), SIGKILL);
    return result;
}

#define NEXT(result, name, ...) ((result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

// A call about one path, one descriptor, or two paths.
#define PATH_CALL(name, takes_space, path, parameters, types, arguments) \
    int name parameters { \
        char buffer[PATH_MAX] = ""; \
        enum verdict verdict = decide(#name, path, 0, takes_space); \
        if (verdict == fails) return -1; \
        return (int)finish(verdict, NEXT(int, #name, types) arguments); \
    }
#define LIST(...) __VA_ARGS__
#define AT(folder, name) path_at(folder, name, buffer)
#define OF(descriptor) path_of(descriptor, buffer)

PATH_CALL(unlink, 0, AT(AT_FDCWD, a), (const char *a), LIST(const char *), (a))
PATH_CALL(rmdir, 0, AT(AT_FDCWD, a), (const char *a), LIST(const char *), (a))
PATH_CALL(unlinkat, 0, AT(d, a), (int d, const char *a, int f), LIST(int, const char *, int), (d, a, f))
PATH_CALL(mkdir, 1, AT(AT_FDCWD, a), (const char *a, mode_t m), LIST(const char *, mode_t), (a, m))
PATH_CALL(mkdirat, 1, AT(d, a), (int d, const char *a, mode_t m), LIST(int, const char *, mode_t),
          (d, a, m))
PATH_CALL(rename, 0, AT(AT_FDCWD, a), (const char *a, const char *b), LIST(const char *, const char *),
          (a, b))
PATH_CALL(renameat, 0, AT(d, a), (int d, const char *a, int e, const char *b),
          LIST(int, const char *, int, const char *), (d, a, e, b))
PATH_CALL(renameat2, 0, AT(d, a), (int d, const char *a, int e, const char *b, unsigned f),
          LIST(int, const char *, int, const char *, unsigned), (d, a, e, b, f))
PATH_CALL(link, 1, AT(AT_FDCWD, b), (const char *a, const char *b), LIST(const char *, const char *),
          (a, b))
PATH_CALL(linkat, 1, AT(e, b), (int d, const char *a, int e, const char *b, int f),
          LIST(int, const char *, int, const char *, int), (d, a, e, b, f))
PATH_CALL(truncate, 0, AT(AT_FDCWD, a), (const char *a, off_t n), LIST(const char *, off_t), (a, n))
PATH_CALL(truncate64, 0, AT(AT_FDCWD, a), (const char *a, off_t n), LIST(const char *, off_t), (a, n))
PATH_CALL(ftruncate, 0, OF(d), (int d, off_t n), LIST(int, off_t), (d, n))
PATH_CALL(ftruncate64, 0, OF(d), (int d, off_t n), LIST(int, off_t), (d, n))
PATH_CALL(fsync, 0, OF(d), (int d), LIST(int), (d))
PATH_CALL(fdatasync, 0, OF(d), (int d), LIST(int), (d))
PATH_CALL(fallocate, 1, OF(d), (int d, int m, off_t o, off_t n), LIST(int, int, off_t, off_t), (d, m, o, n))
PATH_CALL(fallocate64, 1, OF(d), (int d, int m, off_t o, off_t n), LIST(int, int, off_t, off_t),
          (d, m, o, n))

// Opening a file counts if that makes it or cuts it off.
static int open_at(const char *function, int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX] = "";
    path_at(folder, name, path);
    enum verdict verdict = go_on;
    if ((flags & O_TRUNC) || ((flags & O_CREAT) && access(path, F_OK) != 0))
        verdict = decide("create", path, 0, 1);
    if (verdict == fails) return -1;
    return (int)finish(verdict, NEXT(int, function, int, const char *, int, ...)(folder, name, flags, mode));
}

#define OPEN(name, parameters, last, folder) \
    int name parameters { \
        va_list list; \
        va_start(list, last); \
        mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        return open_at("openat", folder, path, flags, mode); \
    }

OPEN(open, (const char *path, int flags, ...), flags, AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), flags, AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), flags, folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), flags, folder)

#define WRITE(name, parameters, types, arguments, half) \
    ssize_t name parameters { \
        char buffer[PATH_MAX] = ""; \
        enum verdict verdict = decide(#name, path_of(d, buffer), (long long)n, 1); \
        if (verdict == fails) return -1; \
        if (verdict == half_then_die) return finish(verdict, NEXT(ssize_t, #name, types) half); \
        return finish(verdict, NEXT(ssize_t, #name, types) arguments); \
    }

WRITE(write, (int d, const void *p, size_t n), LIST(int, const void *, size_t), (d, p, n), (d, p, n / 2))
WRITE(pwrite, (int d, const void *p, size_t n, off_t o), LIST(int, const void *, size_t, off_t),
      (d, p, n, o), (d, p, n / 2, o))
WRITE(pwrite64, (int d, const void *p, size_t n, off_t o), LIST(int, const void *, size_t, off_t),
      (d, p, n, o), (d, p, n / 2, o))
WRITE(copy_file_range, (int s, off_t *i, int d, off_t *o, size_t n, unsigned f),
      LIST(int, off_t *, int, off_t *, size_t, unsigned), (s, i, d, o, n, f), (s, i, d, o, n / 2, f))
WRITE(sendfile, (int d, int s, off_t *i, size_t n), LIST(int, int, off_t *, size_t), (d, s, i, n),
      (d, s, i, n / 2))

ssize_t writev(int d, const struct iovec *parts, int parts_count) {
    char buffer[PATH_MAX] = "";
    long long bytes = 0;
    for (int i = 0; i < parts_count; i++) bytes += parts[i].iov_len;
    enum verdict verdict = decide("writev", path_of(d, buffer), bytes, 1);
    if (verdict == fails) return -1;
    int shown = verdict == half_then_die ? parts_count / 2 : parts_count;
    return finish(verdict, NEXT(ssize_t, "writev", int, const struct iovec *, int)(d, parts, shown));
}

ssize_t pwritev(int d, const struct iovec *parts, int parts_count, off_t o) {
    char buffer[PATH_MAX] = "";
    long long bytes = 0;
    for (int i = 0; i < parts_count; i++) bytes += parts[i].iov_len;
    enum verdict verdict = decide("pwritev", path_of(d, buffer), bytes, 1);
    if (verdict == fails) return -1;
    int shown = verdict == half_then_die ? parts_count / 2 : parts_count;
    return finish(verdict, NEXT(ssize_t, "pwritev", int, const struct iovec *, int, off_t)(
                               d, parts, shown, o));
}

// The router exchanges two folders like that: the C library of some systems has no function for it.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    char buffer[PATH_MAX] = "";
    enum verdict verdict = go_on;
    if (number == SYS_renameat2)
        verdict = decide("renameat2", path_at((int)a[0], (const char *)a[1], buffer), 0, 0);
    if (verdict == fails) return -1;
    return finish(verdict, NEXT(long, "syscall", long, long, long, long, long, long, long)(
                               number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
