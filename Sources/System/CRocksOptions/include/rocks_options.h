// Options of RocksDB that its C interface lacks.
#pragma once
#include <rocksdb/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lets a database keep no diary (the file LOG).
///
/// Debian's library is built with assertions, and one of them ends the process when a line is
/// written to the diary after a full disk has refused the line before it. Whatever goes wrong is
/// reported by the call that fails, so nothing is missed.
void rocks_options_set_no_diary(rocksdb_options_t *options);

/// Lets every error in a database's background stop it: all later calls report the error until it
/// is closed and opened again.
///
/// Else it waits by itself for space on the disk, in steps of five seconds, and keeps those waiting
/// who flush or close it.
void rocks_options_set_fail_stop(rocksdb_options_t *options);

#ifdef __cplusplus
}
#endif
