// A disk whose syncs fail, put before the C library's functions by LD_PRELOAD.
//
// While the file FAILING_SYNC_TRIGGER exists, fsync and fdatasync of files whose names contain what
// stands in it fail with EIO. As with a real disk, what was written since the last sync can still be
// read, and a later sync says that all is well: but the pages are gone with the next loss of power.
// Which bytes that are is added to FAILING_SYNC_RECORD: "lost path begin end", a line each, or "kept
// path count" if a file is cut off after `count` bytes or, with 0, deleted: what comes there later is
// something else.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { file_limit = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// How much of a file is on the disk.
static struct { ino_t file; off_t synced; } files[file_limit];

static off_t *synced(ino_t file) {
    for (int i = 0; i < file_limit; i++) {
        if (files[i].file == 0) files[i].file = file;
        if (files[i].file == file) return &files[i].synced;
    }
    abort();
}

static int fails(const char *path) {
    char part[64] = "";
    int trigger = open(getenv("FAILING_SYNC_TRIGGER"), O_RDONLY | O_CLOEXEC);
    if (trigger < 0) return 0;
    ssize_t count = read(trigger, part, sizeof part - 1);
    close(trigger);
    return count >= 0 && strstr(path, part) != NULL;
}

static void record(const char *line, int count) {
    int file = open(getenv("FAILING_SYNC_RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, line, count) != count) abort();
    close(file);
}

static int sync_or_fail(int descriptor, const char *name) {
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    char link[64], path[4096] = "";
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)
        || readlink(link, path, sizeof path - 1) < 0)
        return sync(descriptor);

    pthread_mutex_lock(&lock);
    off_t *known = synced(status.st_ino);
    // A file that was cut off, or a new one with the number of another.
    off_t begin = *known < status.st_size ? *known : status.st_size;
    *known = status.st_size;
    int failed = fails(path);
    if (failed && begin < status.st_size) {
        char line[4200];
        record(line, snprintf(line, sizeof line, "lost %s %lld %lld\n", path, (long long)begin,
                              (long long)status.st_size));
    }
    pthread_mutex_unlock(&lock);
    if (!failed) return sync(descriptor);
    errno = EIO;
    return -1;
}

static void keep(const char *path, ino_t file, off_t count) {
    char line[4200];
    pthread_mutex_lock(&lock);
    off_t *known = synced(file);
    if (*known > count) *known = count;
    record(line, snprintf(line, sizeof line, "kept %s %lld\n", path, (long long)count));
    pthread_mutex_unlock(&lock);
}

int unlink(const char *path) {
    int (*delete)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    struct stat status;
    if (stat(path, &status) == 0) keep(path, status.st_ino, 0);
    return delete(path);
}

int ftruncate(int descriptor, off_t count) {
    int (*cut)(int, off_t) = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate");
    char link[64], path[4096] = "";
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (fstat(descriptor, &status) == 0 && readlink(link, path, sizeof path - 1) > 0)
        keep(path, status.st_ino, count);
    return cut(descriptor, count);
}

int fsync(int descriptor) { return sync_or_fail(descriptor, "fsync"); }
int fdatasync(int descriptor) { return sync_or_fail(descriptor, "fdatasync"); }
