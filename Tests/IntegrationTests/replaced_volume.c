// A volume of Kubernetes whose content is replaced while a program finds its way through it; put before the C
// library's functions by LD_PRELOAD.
//
// When the folder `..former` in REPLACED_VOLUME is first looked at, `..data` leads to the next content,
// by the link `..data_tmp`, and the former one is gone.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void path_of(char *path, const char *name) {
    const char *volume = getenv("REPLACED_VOLUME");
    if (!volume || snprintf(path, PATH_MAX, "%s/%s", volume, name) >= PATH_MAX) abort();
}

int lstat(const char *path, struct stat *status) {
    int (*look)(const char *, struct stat *) =
        (int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "lstat");
    char former[PATH_MAX], gone[PATH_MAX], data[PATH_MAX], next[PATH_MAX];
    path_of(former, "..former");
    path_of(gone, "..gone");
    path_of(data, "..data");
    path_of(next, "..data_tmp");
    if (strcmp(path, former) == 0 && rename(next, data) == 0 && rename(former, gone) != 0) abort();
    return look(path, status);
}
