internal import CRocksDB
internal import DataStructures
internal import StoreFormat

/// An open database of RocksDB: a safe wrapper around the part of its C interface that the store
/// needs.
///
/// The table is one column family. RocksDB's own log is not used: what was not flushed is lost when
/// the database is closed.
@safe
final class RocksDatabase {
    private let handle: OpaquePointer
    private let families: [String: OpaquePointer]
    private let table: OpaquePointer
    /// The write batch, reused unless it has grown unusually large.
    private var batch: OpaquePointer

    /// Opens the database in a folder.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - access: whether it may be changed, and created.
    ///   - names: all column families; a reader may omit some.
    ///   - table: the column family that is the table.
    ///   - tableBuffer: the size of each of the table's buffers in memory, in bytes.
    /// - Throws: RocksDB's error.
    init(
        path: String,
        access: RocksAccess,
        families names: [String] = ["default"],
        table: String = "default",
        tableBuffer: Int = RocksLimits.tableBuffer
    ) throws(StoreError) {
        let options = unsafe RocksOptions.database(access)
        defer { unsafe rocksdb_options_destroy(options) }
        let family = unsafe RocksOptions.family(tableBuffer: tableBuffer)
        defer { unsafe rocksdb_options_destroy(family) }
        let familyOptions = unsafe names.map { _ in unsafe OpaquePointer?(family) }
        let copies = unsafe names.map { unsafe UnsafePointer<CChar>?(copyOfText($0)) }
        defer { for index in names.indices { unsafe copies[index]?.deallocate() } }
        var handles = unsafe [OpaquePointer?](repeating: nil, count: names.count)

        unsafe handle = try unsafe checked { errorOut in
            let count = Int32(names.count)
            return switch access {
            case .readWrite:
                unsafe rocksdb_open_column_families(
                    options,
                    path,
                    count,
                    copies,
                    familyOptions,
                    &handles,
                    errorOut
                )
            case .readOnly:
                unsafe rocksdb_open_for_read_only_column_families(
                    options,
                    path,
                    count,
                    copies,
                    familyOptions,
                    &handles,
                    0,
                    errorOut
                )
            }
        }!
        var found: [String: OpaquePointer] = unsafe [:]
        for (index, name) in names.enumerated() { unsafe found[name] = handles[index] }
        unsafe families = found
        unsafe self.table = families[table]!
        unsafe batch = rocksdb_writebatch_create()
    }

    deinit {
        unsafe rocksdb_writebatch_destroy(batch)
        let names = unsafe Array(families.keys)
        for name in names { unsafe rocksdb_column_family_handle_destroy(families[name]!) }
        unsafe rocksdb_close(handle)
    }

    /// The names of the column families of the database in a folder.
    static func familyNames(path: String) throws(StoreError) -> [String] {
        let options = unsafe rocksdb_options_create()!
        defer { unsafe rocksdb_options_destroy(options) }
        var count = 0
        let names = unsafe try checked { errorOut in
            unsafe rocksdb_list_column_families(options, path, &count, errorOut)
        }
        guard let names = unsafe names else { return [] }
        defer { unsafe rocksdb_list_column_families_destroy(names, count) }
        return (0..<count).map { index in unsafe String(cString: names[index]!) }.sorted()
    }

    /// Makes the list of files anew for a folder with tables alone, which stay as they are.
    static func makeList(path: String) throws(StoreError) {
        let options = unsafe RocksOptions.database(.readWrite)
        defer { unsafe rocksdb_options_destroy(options) }
        unsafe try checked { errorOut in unsafe rocksdb_repair_db(options, path, errorOut) }
    }

    // MARK: Reading and writing

    /// Returns an iterator over the table.
    func iterate() -> RocksIterator {
        unsafe RocksIterator(of: self, handle: handle, family: table)
    }

    /// Returns an iterator over a column family, which must exist.
    func iterate(_ name: String) -> RocksIterator {
        unsafe RocksIterator(of: self, handle: handle, family: families[name]!)
    }

    /// Adds a record to the batch that `commit` writes.
    func put(_ key: ByteView, value: ByteView) {
        unsafe rocksdb_writebatch_put_cf(
            batch,
            table,
            key.address.assumingMemoryBound(to: CChar.self),
            key.count,
            value.address.assumingMemoryBound(to: CChar.self),
            value.count
        )
    }

    /// Adds a deletion to the batch that `commit` writes.
    func delete(_ key: ByteView) {
        unsafe rocksdb_writebatch_delete_cf(
            batch,
            table,
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
        unsafe try checked { errorOut in unsafe rocksdb_flush_cf(handle, options, table, errorOut) }
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
        let status = unsafe rocksdb_property_int_cf(handle, table, property, &value)
        precondition(status == 0, "RocksDB does not know \(property)")
        return value
    }
}

@available(*, unavailable)
extension RocksDatabase: Sendable {}

/// Copies a text with a terminating zero; the caller must deallocate it.
@unsafe
private func copyOfText(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
    return unsafe UnsafePointer(copy)
}
