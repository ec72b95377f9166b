// What RocksDB does by itself: a log of small records, as somebody would write it who has no router.
// The benchmark of the store compares with it.
//
// A record is a key and a value of its own, as in `db_bench --benchmarks=fillseq --sync
// --batch_size=N`. The options are RocksDB's defaults, but for compression (none) and the memory
// before a sorted file is written, which is the one that the router's store has, so that neither
// writes anything twice. One thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reference_store;

/// Makes a database in this folder; NULL if that fails.
struct reference_store *_Nullable reference_store_open(const char *_Nonnull path);

/// Adds a record to the batch; the key is its position, big-endian.
void reference_store_put(struct reference_store *_Nonnull store, uint64_t position,
                         const void *_Nonnull value, size_t byte_count);

/// Brings the batch to the disk, and begins the next one. Returns 0, or -1 if that fails.
int reference_store_commit(struct reference_store *_Nonnull store);

void reference_store_close(struct reference_store *_Nonnull store);

#ifdef __cplusplus
}
#endif
