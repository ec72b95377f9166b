internal import CRocksDB
internal import DataStructures
internal import StoreFormat

/// An open database of RocksDB with its column families: what the store needs of the C interface,
/// made safe.
@safe
final class RocksDatabase {
    /// How safe a write is when it returns.
    enum Safety {
        /// On the disk.
        case synced
        /// With the system: it survives the end of the process.
        case logged
        /// In memory: it is kept by the next flush of its family.
        case unlogged
    }

    private let handle: OpaquePointer
    private var families: [String: OpaquePointer]
    /// Used again for every write that is not unusually large.
    private var batch: OpaquePointer

    /// Opens the database in a folder.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - access: whether it may be changed, and made.
    ///   - names: all families that there are, or in a new database shall be; a reader may leave
    ///     some out.
    /// - Throws: what RocksDB reports.
    init(path: String, _ access: RocksAccess, families names: [String]) throws(StoreError) {
        let options = unsafe RocksOptions.database(access)
        defer { unsafe rocksdb_options_destroy(options) }
        let familyOptions = unsafe names.map { unsafe OpaquePointer?(RocksOptions.family($0)) }
        defer {
            for index in names.indices { unsafe rocksdb_options_destroy(familyOptions[index]) }
        }
        let copies = unsafe names.map { unsafe UnsafePointer<CChar>?(copyOfText($0)) }
        defer { for index in names.indices { unsafe copies[index]?.deallocate() } }
        var handles = unsafe [OpaquePointer?](repeating: nil, count: names.count)

        unsafe handle = try unsafe checked { place in
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
                    place
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
                    place
                )
            }
        }!
        unsafe families = [:]
        for (index, name) in names.enumerated() { unsafe families[name] = handles[index] }
        unsafe batch = rocksdb_writebatch_create()
    }

    deinit {
        unsafe rocksdb_writebatch_destroy(batch)
        for name in familyNames { unsafe rocksdb_column_family_handle_destroy(family(name)) }
        unsafe rocksdb_close(handle)
    }

    /// The names of the families of the database in this folder.
    static func familyNames(path: String) throws(StoreError) -> [String] {
        let options = unsafe rocksdb_options_create()!
        defer { unsafe rocksdb_options_destroy(options) }
        var count = 0
        let names = unsafe try checked { place in
            unsafe rocksdb_list_column_families(options, path, &count, place)
        }
        guard let names = unsafe names else { return [] }
        defer { unsafe rocksdb_list_column_families_destroy(names, count) }
        return (0..<count).map { index in unsafe String(cString: names[index]!) }.sorted()
    }

    // MARK: Families

    var familyNames: [String] { unsafe families.keys.sorted() }

    /// First positions of the journal's segments, rising.
    var segments: [UInt64] {
        unsafe families.keys.compactMap(FamilyName.firstPosition).sorted()
    }

    func createFamily(_ name: String) throws(StoreError) {
        let options = unsafe RocksOptions.family(name)
        defer { unsafe rocksdb_options_destroy(options) }
        let family = unsafe try checked { place in
            unsafe rocksdb_create_column_family(handle, options, name, place)
        }
        unsafe families[name] = family
    }

    /// Forgets a family; its files go at once.
    func dropFamily(_ name: String) throws(StoreError) {
        guard let family = unsafe families[name] else { return }
        unsafe try checked { place in unsafe rocksdb_drop_column_family(handle, family, place) }
        unsafe families[name] = nil
        unsafe rocksdb_column_family_handle_destroy(family)
    }

    /// A family that must be there.
    private func family(_ name: String) -> OpaquePointer {
        guard let family = unsafe families[name] else {
            preconditionFailure("there is no column family \(name)")
        }
        return unsafe family
    }

    // MARK: Reading and writing

    func iterate(_ name: String) -> RocksIterator {
        unsafe RocksIterator(handle, family(name))
    }

    /// Adds to the batch that `commit` writes.
    func put(_ name: String, _ key: ByteView, _ value: ByteView) {
        unsafe rocksdb_writebatch_put_cf(
            batch,
            family(name),
            key.address.assumingMemoryBound(to: CChar.self),
            key.count,
            value.address.assumingMemoryBound(to: CChar.self),
            value.count
        )
    }

    func delete(_ name: String, _ key: ByteView) {
        unsafe rocksdb_writebatch_delete_cf(
            batch,
            family(name),
            key.address.assumingMemoryBound(to: CChar.self),
            key.count
        )
    }

    /// Writes the batch in one piece, and empties it whatever happens.
    func commit(_ safety: Safety) throws(StoreError) {
        let options = unsafe rocksdb_writeoptions_create()!
        defer { unsafe rocksdb_writeoptions_destroy(options) }
        unsafe rocksdb_writeoptions_set_sync(options, safety == .synced ? 1 : 0)
        unsafe rocksdb_writeoptions_disable_WAL(options, safety == .unlogged ? 1 : 0)
        defer { clearBatch() }
        unsafe try checked { place in unsafe rocksdb_write(handle, options, batch, place) }
    }

    private func clearBatch() {
        var byteCount = 0
        unsafe _ = rocksdb_writebatch_data(batch, &byteCount)
        if byteCount <= RocksLimits.batch { return unsafe rocksdb_writebatch_clear(batch) }
        unsafe rocksdb_writebatch_destroy(batch)
        unsafe batch = rocksdb_writebatch_create()
    }

    /// Writes what a family has in memory to a file, and returns when that has happened if
    /// `isWaiting`.
    func flush(_ name: String, isWaiting: Bool) throws(StoreError) {
        let options = unsafe rocksdb_flushoptions_create()!
        defer { unsafe rocksdb_flushoptions_destroy(options) }
        unsafe rocksdb_flushoptions_set_wait(options, isWaiting ? 1 : 0)
        unsafe try checked { place in unsafe rocksdb_flush_cf(handle, options, family(name), place)
        }
    }

    /// Brings to the disk what was `logged`.
    func syncLog() throws(StoreError) {
        unsafe try checked { place in unsafe rocksdb_flush_wal(handle, 1, place) }
    }

    /// The number of the last change, of whatever safety: they count on, also over reopening.
    var sequence: UInt64 { unsafe rocksdb_get_latest_sequence_number(handle) }

    /// How many writes of files have failed; RocksDB counts those of all families at the first one.
    var backgroundErrorCount: UInt64 {
        property("rocksdb.background-errors", of: FamilyName.facts)
    }

    /// A number that RocksDB knows of a family.
    func property(_ property: String, of name: String) -> UInt64 {
        var value: UInt64 = 0
        let status = unsafe rocksdb_property_int_cf(handle, family(name), property, &value)
        precondition(status == 0, "RocksDB does not know \(property)")
        return value
    }
}

@available(*, unavailable)
extension RocksDatabase: Sendable {}

/// The text with a zero behind it; the caller deallocates it.
@unsafe
private func copyOfText(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
    return unsafe UnsafePointer(copy)
}
