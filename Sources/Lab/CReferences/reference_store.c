#include "reference_store.h"

#include <rocksdb/c.h>
#include <stdlib.h>

struct reference_store {
    rocksdb_t *database;
    rocksdb_writeoptions_t *synced;
    rocksdb_writebatch_t *batch;
};

// The size of a write buffer, in bytes: large, so that few records are written a second time.
static const size_t buffer_byte_count = (size_t)128 << 20;

static rocksdb_t *open_database(const char *path) {
    rocksdb_options_t *options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(options, 1);
    rocksdb_options_set_error_if_exists(options, 1);
    rocksdb_options_set_compression(options, rocksdb_no_compression);
    rocksdb_options_set_write_buffer_size(options, buffer_byte_count);
    rocksdb_options_set_max_write_buffer_number(options, 4);
    char *failure = NULL;
    rocksdb_t *database = rocksdb_open(options, path, &failure);
    rocksdb_free(failure);
    rocksdb_options_destroy(options);
    return database;
}

struct reference_store *reference_store_open(const char *path) {
    rocksdb_t *database = open_database(path);
    if (database == NULL) return NULL;
    struct reference_store *store = malloc(sizeof *store);
    if (store == NULL) abort();
    store->database = database;
    store->synced = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(store->synced, 1);
    store->batch = rocksdb_writebatch_create();
    return store;
}

void reference_store_put(struct reference_store *store, uint64_t position, const void *value,
                         size_t byte_count) {
    const uint64_t key = __builtin_bswap64(position);
    rocksdb_writebatch_put(store->batch, (const char *)&key, sizeof key, value, byte_count);
}

int reference_store_commit(struct reference_store *store) {
    char *failure = NULL;
    rocksdb_write(store->database, store->synced, store->batch, &failure);
    rocksdb_writebatch_clear(store->batch);
    const int status = failure == NULL ? 0 : -1;
    rocksdb_free(failure);
    return status;
}

void reference_store_close(struct reference_store *store) {
    rocksdb_writebatch_destroy(store->batch);
    rocksdb_writeoptions_destroy(store->synced);
    rocksdb_close(store->database);
    free(store);
}
