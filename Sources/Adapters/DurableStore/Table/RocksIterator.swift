internal import Basics
internal import CRocksDB
internal import StoreFormat

/// Iterates over a database's records in the order of their keys, as they were when it was
/// created.
@safe
struct RocksIterator: ~Copyable {
    /// The database that the iterator reads: it is kept open as long as the iterator.
    private let database: RocksDatabase
    private let iterator: OpaquePointer
    private let options: OpaquePointer

    @unsafe
    init(of owner: RocksDatabase, handle: OpaquePointer) {
        database = owner
        unsafe options = rocksdb_readoptions_create()
        unsafe rocksdb_readoptions_set_verify_checksums(options, 1)
        unsafe rocksdb_readoptions_set_fill_cache(options, 0)
        unsafe rocksdb_readoptions_set_readahead_size(options, RocksLimits.readAhead)
        unsafe iterator = rocksdb_create_iterator(handle, options)
    }

    deinit {
        unsafe rocksdb_iter_destroy(iterator)
        unsafe rocksdb_readoptions_destroy(options)
    }

    mutating func seekToFirst() { unsafe rocksdb_iter_seek_to_first(iterator) }

    /// Moves to the first record whose key is at least this one.
    mutating func seek(_ key: ByteView) {
        let bytes = unsafe key.address.assumingMemoryBound(to: CChar.self)
        unsafe rocksdb_iter_seek(iterator, bytes, key.count)
    }

    /// Moves to the next record; there must be one at this position.
    mutating func next() {
        checkPosition()
        unsafe rocksdb_iter_next(iterator)
    }

    /// Traps unless there is a record at this position: RocksDB would read memory that is not its
    /// own.
    private func checkPosition() {
        unsafe precondition(rocksdb_iter_valid(iterator) != 0, "there is no record here")
    }

    /// True if there is a record at this position. Throws the error that has ended the iteration
    /// early.
    func isValid() throws(StoreError) -> Bool {
        if unsafe rocksdb_iter_valid(iterator) != 0 { return true }
        unsafe try checked { errorOut in unsafe rocksdb_iter_get_error(iterator, errorOut) }
        return false
    }

    /// The key at this position, valid until the next move.
    var key: ByteView {
        checkPosition()
        var count = 0
        let base = unsafe rocksdb_iter_key(iterator, &count)!
        return unsafe ByteView(base: UnsafeRawPointer(base), count: count)
    }

    /// The value at this position, valid until the next move.
    var value: ByteView {
        checkPosition()
        var count = 0
        let base = unsafe rocksdb_iter_value(iterator, &count)!
        return unsafe ByteView(base: UnsafeRawPointer(base), count: count)
    }
}
