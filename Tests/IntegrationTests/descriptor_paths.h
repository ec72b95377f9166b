// Full paths of what a file call names: for libraries that watch the calls of a process (LD_PRELOAD).
//
// Each function writes to `path`, which has PATH_MAX zero bytes, and returns it. They leave `errno` alone.

#ifndef DESCRIPTOR_PATHS_H
#define DESCRIPTOR_PATHS_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The path of an open file or folder; empty if it has none.
static const char *path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int saved = errno;
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    errno = saved;
    path[length > 0 ? length : 0] = 0;
    return path;
}

// The path of a name as `openat` and its like take it: within an open folder, or AT_FDCWD.
static const char *path_at(int folder, const char *name, char *path) {
    if (name[0] == '/') return strncpy(path, name, PATH_MAX - 1);
    if (folder == AT_FDCWD) {
        int saved = errno;
        if (!getcwd(path, PATH_MAX - 1)) path[0] = 0;
        errno = saved;
    } else {
        path_of(folder, path);
    }
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
    return path;
}

#endif
