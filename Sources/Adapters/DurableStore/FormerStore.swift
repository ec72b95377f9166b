internal import DataStructures
internal import StoreFormat

/// The names in the folder of a store of format 1, which was one database of RocksDB.
///
///     default                       what is known of the store itself: `format`, `end`
///     state                         the table
///     journal-00000000000000000001  a segment of the journal, named for its first position
enum FormerName {
    /// RocksDB's file that names its present list of files.
    static let current = "CURRENT"
    /// What the name of a list of files begins with.
    static let list = "MANIFEST-"
    /// What the name of a write-ahead log of RocksDB ends with.
    static let log = ".log"
    /// What the name of a table file of RocksDB ends with.
    static let tableFile = ".sst"
    /// The column family with what is known of the store itself.
    static let description = "default"
    /// The column family of the table.
    static let table = "state"
    private static let journalPrefix = "journal-"

    /// Whether RocksDB creates files of this name.
    static func belongs(_ name: String) -> Bool {
        if [current, "IDENTITY", "LOCK", "LOG"].contains(name) { return true }
        if [list, "OPTIONS-", "LOG.old."].contains(where: name.hasPrefix) { return true }
        return [log, tableFile, ".dbtmp"].contains { number(name, ending: $0) != nil }
    }

    /// The number in the name of a file with this ending; nil for other names, which RocksDB does
    /// not give to files.
    static func number(_ name: String, ending: String) -> UInt64? {
        guard name.hasSuffix(ending) else { return nil }
        let digits = name.dropLast(ending.count)
        return digits.allSatisfy { "0"..."9" ~= $0 } ? UInt64(digits) : nil
    }

    /// The first position of a journal segment, from the name of its column family; nil if the name
    /// is not of one.
    static func firstPosition(_ name: String) -> UInt64? {
        guard name.hasPrefix(journalPrefix) else { return nil }
        return UInt64(name.dropFirst(journalPrefix.count))
    }
}

extension StoreFolder {
    /// Whether the folder looks like one of a store of format 1, whole or not.
    var holdsFormerFiles: Bool {
        let names = (try? names()) ?? []
        return names.contains { $0 == FormerName.current || $0.hasPrefix(FormerName.list) }
    }

    /// Whether the folder holds a store of format 1.
    ///
    /// - Throws: `corrupt` if `CURRENT` is missing; `gap` if all files of the log are missing, of
    ///   which a router always left at least one.
    func hasFormerStore(_ names: [String]) throws(StoreError) -> Bool {
        // The list of files of a new database; RocksDB never uses this name again.
        let first = "MANIFEST-000001"
        let list = names.last { $0.hasPrefix(FormerName.list) && $0 != first }
        let tableCount = names.count { FormerName.number($0, ending: FormerName.tableFile) != nil }
        let logCount = names.count { FormerName.number($0, ending: FormerName.log) != nil }
        if names.contains(FormerName.current) {
            if list == nil || logCount > 0 { return true }
            throw StoreError(
                .gap,
                message: "it has no log file (.log), although a router always leaves one: "
                    + "the end of the journal is missing"
            )
        }
        if list == nil && tableCount == 0 && logCount == 0 { return false }
        var found = list.map { [$0] } ?? []
        if tableCount > 0 { found.append("\(tableCount) table\(tableCount == 1 ? "" : "s")") }
        if logCount > 0 { found.append("\(logCount) log\(logCount == 1 ? "" : "s")") }
        throw StoreError(
            .corrupt,
            message:
                "it holds \(found.joined(separator: ", ")), but not CURRENT, which names the list in use"
        )
    }
}

extension StoreFolder {
    /// The error with which a damaged store of format 1 is refused: it names the folder, and the
    /// version of the router that can examine and repair the store.
    ///
    /// This version reads such a store only as far as a migration needs.
    ///
    /// - Parameter error: what was found.
    /// - Returns: the error to throw; the same one if it is about no damage.
    func formerRefusal(_ error: StoreError) -> StoreError {
        if error.code != .corrupt && error.code != .gap { return error }
        return StoreError(
            error.code,
            message:
                "\(path) is a damaged store of format 1, and nothing was changed: \(error.message); the "
                + "version that wrote it can examine it (its `store check`) and repair it (its `store "
                + "repair`), or restore a backup"
        )
    }
}

/// A store of format 1, opened for reading: nothing in its folder is changed.
final class FormerStore: JournalSource {
    /// The version of the format that it can read.
    private static let version: UInt32 = 1

    let description: StoreDescription
    /// The store's database, which also contains the table.
    let database: RocksDatabase
    let segments: [UInt64]
    let byteCount: UInt64 = 0
    let tornEnd: TornEnd?
    private(set) var problems: [StoreError] = []
    private(set) var lastKnownPosition: UInt64 = 0
    private let names: [UInt64: String]

    /// - Throws: what keeps it from being read: `unusable`, `newer`, `corrupt` or `io`.
    convenience init(_ folder: StoreFolder) throws(StoreError) {
        do throws(StoreError) {
            try self.init(reading: folder)
        } catch {
            throw folder.formerRefusal(error)
        }
    }

    private init(reading folder: StoreFolder) throws(StoreError) {
        // The log is checked first, because RocksDB would end the process on some kinds of damage
        // to it.
        tornEnd = try FormerLog.check(folder)
        let families = try RocksDatabase.familyNames(path: folder.path)
        var names: [UInt64: String] = [:]
        for family in families where ![FormerName.description, FormerName.table].contains(family) {
            guard let first = FormerName.firstPosition(family) else {
                throw StoreError(
                    .unusable,
                    message:
                        "\(folder.path) is the database of another program: it has a family \(family)"
                )
            }
            names[first] = family
        }
        let noStore = "\(folder.path) is a database, but not a router's store"
        if !families.contains(FormerName.table) { throw StoreError(.unusable, message: noStore) }
        database = try RocksDatabase(
            path: folder.path,
            access: .readOnly,
            families: families,
            table: FormerName.table
        )
        let found = try database.fact("format") { value throws(StoreError) in
            try StoreDescription(value, upTo: Self.version)
        }
        guard let found else { throw StoreError(.unusable, message: noStore) }
        description = found
        self.names = names
        segments = names.keys.sorted()
        do throws(StoreError) {
            try checkEnd()
        } catch {
            problems.append(error)
        }
    }

    /// Compares the journal's end with the position that the last router wrote down when it ended
    /// normally.
    private func checkEnd() throws(StoreError) {
        let noted = try database.fact("end") { value throws(StoreError) in
            var reader = StoreReader(value)
            let sum = try reader.read(UInt64.self)
            if checksum(value.slice(8, to: value.count)) != sum {
                throw StoreError(
                    .corrupt,
                    message: "the note of the journal's end has a wrong checksum"
                )
            }
            let position = try reader.read(UInt64.self)
            return (position: position, checksum: try reader.read(UInt64.self))
        }
        let manifest = try database.newestManifest() ?? .none
        lastKnownPosition = max(noted?.position ?? 0, manifest.position)
        var chain = JournalChain(after: manifest)
        // Errors in the journal are reported to callers that read all of it.
        let isFollowed: Void? = try? replay(from: chain.next) { group throws(StoreError) in
            try chain.follow(group)
        }
        lastKnownPosition = max(lastKnownPosition, chain.next - 1)
        guard let noted, isFollowed != nil else { return }
        if chain.next - 1 < noted.position {
            throw StoreError(
                .gap,
                message: "the last router wrote up to record \(noted.position), "
                    + "but the journal ends at \(chain.next - 1)"
            )
        }
        if chain.next - 1 == noted.position && chain.parent != noted.checksum {
            throw StoreError(
                .corrupt,
                message:
                    "journal record \(noted.position) is not the one that the last router wrote"
            )
        }
    }

    func visitGroups(
        after position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try replay(from: position + 1, body: body)
    }

    func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let first = segments.lastIndex { $0 <= position } ?? 0
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            for segment in segments.dropFirst(first) {
                var iterator = database.iterate(names[segment]!)
                iterator.seekToFirst()
                if try !iterator.putRest(ahead) { return }
            }
        }
        try ahead.forEachRecord { _, records throws(StoreError) in
            if JournalGroup.lastPosition(in: records) ?? .max >= position { try body(records) }
        }
    }
}

@available(*, unavailable)
extension FormerStore: Sendable {}

extension RocksDatabase {
    /// Reads one of the records that belong neither to the journal nor to the table; nil if there
    /// is none of that key.
    fileprivate func fact<Fact>(
        _ key: String,
        body: (ByteView) throws(StoreError) -> Fact
    ) throws(StoreError) -> Fact? {
        var iterator = iterate(FormerName.description)
        iterator.seekToFirst()
        while try iterator.isValid() {
            if iterator.key.string == key { return try body(iterator.value) }
            iterator.next()
        }
        return nil
    }
}
