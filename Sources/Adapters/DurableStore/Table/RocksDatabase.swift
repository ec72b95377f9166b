internal import Basics
internal import CRocksDB
internal import StoreFormat

/// An open database of RocksDB: a safe wrapper around the part of its C interface that the store
/// needs.
///
/// The table is all that is in it. RocksDB's own log is not used: what was not flushed is lost when
/// the database is closed.
@safe
final class RocksDatabase {
    private let handle: OpaquePointer
    /// The write batch, reused unless it has grown unusually large.
    private var batch: OpaquePointer

    /// Opens the database in a folder, with buffers of the table of `tableBuffer` bytes each in
    /// memory. Throws RocksDB's error.
    init(
        path: String,
        access: RocksAccess,
        tableBuffer: Int = RocksLimits.tableBuffer
    ) throws(StoreError) {
        let options = unsafe RocksOptions.database(access, tableBuffer: tableBuffer)
        defer { unsafe rocksdb_options_destroy(options) }
        unsafe handle = try unsafe checked { errorOut in
            switch access {
            case .readWrite: unsafe rocksdb_open(options, path, errorOut)
            case .readOnly: unsafe rocksdb_open_for_read_only(options, path, 0, errorOut)
            }
        }!
        unsafe batch = rocksdb_writebatch_create()
    }

    deinit {
        unsafe rocksdb_writebatch_destroy(batch)
        unsafe rocksdb_close(handle)
    }

    /// Makes the list of files anew for a folder with tables alone, which stay as they are.
    static func makeList(path: String) throws(StoreError) {
        let options = unsafe RocksOptions.database(.readWrite, tableBuffer: RocksLimits.tableBuffer)
        defer { unsafe rocksdb_options_destroy(options) }
        unsafe try checked { errorOut in unsafe rocksdb_repair_db(options, path, errorOut) }
    }

    // MARK: Reading and writing

    /// Returns an iterator over the table.
    func iterate() -> RocksIterator { unsafe RocksIterator(of: self, handle: handle) }

    /// Adds a record to the batch that `commit` writes.
    func put(_ key: ByteView, value: ByteView) {
        unsafe rocksdb_writebatch_put(
            batch,
            key.address.assumingMemoryBound(to: CChar.self),
            key.count,
            value.address.assumingMemoryBound(to: CChar.self),
            value.count
        )
    }

    /// Adds a deletion to the batch that `commit` writes.
    func delete(_ key: ByteView) {
        unsafe rocksdb_writebatch_delete(
            batch,
            key.address.assumingMemoryBound(to: CChar.self),
            key.count
        )
    }

    /// Writes the batch atomically to RocksDB's memory; the batch is empty afterwards, even if that
    /// fails.
    func commit() throws(StoreError) {
        let options = unsafe rocksdb_writeoptions_create()!
        defer { unsafe rocksdb_writeoptions_destroy(options) }
        unsafe rocksdb_writeoptions_disable_WAL(options, 1)
        defer { clearBatch() }
        unsafe try checked { errorOut in unsafe rocksdb_write(handle, options, batch, errorOut) }
    }

    /// Empties the batch; one that has grown unusually large is replaced.
    private func clearBatch() {
        var byteCount = 0
        unsafe _ = rocksdb_writebatch_data(batch, &byteCount)
        if byteCount <= RocksLimits.batch { return unsafe rocksdb_writebatch_clear(batch) }
        unsafe rocksdb_writebatch_destroy(batch)
        unsafe batch = rocksdb_writebatch_create()
    }

    /// Writes the table's records in memory to files, and waits until that is done.
    func flush() throws(StoreError) {
        let options = unsafe rocksdb_flushoptions_create()!
        defer { unsafe rocksdb_flushoptions_destroy(options) }
        unsafe rocksdb_flushoptions_set_wait(options, 1)
        unsafe try checked { errorOut in unsafe rocksdb_flush(handle, options, errorOut) }
    }

    /// Creates a database with the present content in a folder that does not exist yet, by hard
    /// links to the same files.
    func writeCheckpoint(to path: String) throws(StoreError) {
        let checkpoint = unsafe try checked { errorOut in
            unsafe rocksdb_checkpoint_object_create(handle, errorOut)
        }
        defer { unsafe rocksdb_checkpoint_object_destroy(checkpoint) }
        unsafe try checked { errorOut in
            unsafe rocksdb_checkpoint_create(checkpoint, path, 0, errorOut)
        }
    }

    /// True while RocksDB merges files (compaction).
    var isMerging: Bool { property("rocksdb.num-running-compactions") > 0 }

    /// Runs `body` while no files are deleted, not even those that merging has replaced.
    func keepingFiles(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        unsafe try checked { errorOut in unsafe rocksdb_disable_file_deletions(handle, errorOut) }
        defer { unsafe _ = try? checked { unsafe rocksdb_enable_file_deletions(handle, 0, $0) } }
        try body()
    }

    /// The names of the table's files at this moment.
    var fileNames: Set<String> {
        let files = unsafe rocksdb_livefiles(handle)
        defer { unsafe rocksdb_livefiles_destroy(files) }
        let count = unsafe rocksdb_livefiles_count(files)
        // The names begin with a slash.
        return Set(
            (0..<count).map { index in
                String(unsafe String(cString: rocksdb_livefiles_name(files, index)).dropFirst())
            }
        )
    }

    /// The number of background errors (failed writes of files) so far.
    var backgroundErrorCount: UInt64 { property("rocksdb.background-errors") }

    /// A numeric property of RocksDB, for the table.
    func property(_ property: String) -> UInt64 {
        var value: UInt64 = 0
        let status = unsafe rocksdb_property_int(handle, property, &value)
        precondition(status == 0, "RocksDB does not know \(property)")
        return value
    }
}
