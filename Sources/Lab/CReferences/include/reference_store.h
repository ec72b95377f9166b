// A reference for the store's benchmark: RocksDB by itself, used for a log of small records as it
// would be without a router.
//
// A record has a key and a value of its own, as in `db_bench --benchmarks=fillseq --sync
// --batch_size=N`. The options are RocksDB's defaults, except that compression is off and the write
// buffers are large, so that few records are written a second time, from memory to a table; the
// router's journal writes each record once. One thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An open database, and the batch that is gathered for it.
struct reference_store;

/// Creates a database in this folder, which must not contain one; NULL if that fails.
struct reference_store *_Nullable reference_store_open(const char *_Nonnull path);

/// Adds a record to the batch; the key is its position, big-endian.
void reference_store_put(struct reference_store *_Nonnull store, uint64_t position,
                         const void *_Nonnull value, size_t byte_count);

/// Writes the batch durably to the disk, and begins the next one. Returns 0, or -1 if that fails.
int reference_store_commit(struct reference_store *_Nonnull store);

/// Closes the database; its files stay.
void reference_store_close(struct reference_store *_Nonnull store);

#ifdef __cplusplus
}
#endif
