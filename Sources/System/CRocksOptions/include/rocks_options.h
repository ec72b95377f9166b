// Options of RocksDB that its C interface lacks.
#pragma once
#include <rocksdb/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Disables a database's log of its own activity (the file LOG).
///
/// Debian's library is built with assertions, and one of them ends the process when a line is
/// written to that log after a full disk has refused the line before it. Errors are reported by the
/// calls that fail, so nothing is missed.
void rocks_options_disable_info_log(rocksdb_options_t *options);

/// Makes every error in a database's background work stop it: all later calls report the error
/// until the database is closed and opened again.
///
/// By default it would wait for space on the disk, in steps of five seconds, and keep calls that
/// flush or close it waiting.
void rocks_options_set_fail_stop(rocksdb_options_t *options);

#ifdef __cplusplus
}
#endif
