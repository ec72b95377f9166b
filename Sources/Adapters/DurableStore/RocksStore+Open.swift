internal import ByteStorage
package import StoreFormat
internal import Threading

/// Making, recognising and migrating a store.
extension RocksStore {
    /// Makes an empty store where there is none.
    ///
    /// - Parameter path: of the folder, whose last part is made if it is not there.
    /// - Returns: what is known of the store.
    /// - Throws: `unusable` if there is a store already; what `init` throws.
    package static func make(path: String) throws(StoreError) -> StoreFacts {
        let folder = StoreFolder(path: path)
        if folder.isThere, try folder.hasDatabase() {
            throw StoreError(
                .unusable,
                "there is a store in \(folder.path) already; it stays as it is"
            )
        }
        let store = try RocksStore(path: path, createIfMissing: true)
        defer { store.close() }
        return store.facts
    }

    /// - Parameters:
    ///   - folder: whose lock the caller holds.
    ///   - createIfMissing: whether to make a database if there is none.
    ///   - sequence: what the log holds beyond it is cut off.
    ///   - byteCount: what the disk must take beside the opening itself.
    /// - Returns: the database, and what was cut off the end of its log.
    /// - Throws: what is wrong with the store, or the disk.
    static func openDatabase(
        _ folder: StoreFolder,
        createIfMissing: Bool,
        upTo sequence: UInt64 = .max,
        withSpaceFor byteCount: Int = 0
    ) throws(StoreError) -> (RocksDatabase, TornEnd?) {
        if try folder.hasDatabase() {
            try WriteAheadLog.checkFileList(folder)
            try folder.refuseMissingLog()
            let tornEnd = try cutTornEnd(folder, upTo: sequence)
            try folder.removeFailedOpenings()
            try folder.tryToWrite(byteCount)
            let names = try allFamilies(folder)
            return (try RocksDatabase(path: folder.path, .readWrite, families: names), tornEnd)
        }
        try folder.refuseForeignFiles()
        if !createIfMissing { throw StoreError(.missing, "there is no store in \(folder.path)") }
        try folder.keepOthersOut()
        return (try RocksDatabase(path: folder.path, .readWrite, families: FamilyName.all), nil)
    }

    /// Whoever has ended by itself has left no torn end; nothing is cut before that is known.
    private static func cutTornEnd(
        _ folder: StoreFolder,
        upTo sequence: UInt64
    ) throws(StoreError) -> TornEnd? {
        let tornEnd = try WriteAheadLog.check(folder, upTo: sequence)
        let families = tornEnd?.isReadable == true ? try families(folder) : []
        if families.contains(FamilyName.table) {
            try RocksDatabase(path: folder.path, .readOnly, families: families).checkEnd()
        }
        try WriteAheadLog.cut(tornEnd, folder)
        return tornEnd
    }

    /// The families of the database, all of which must be a store's.
    static func families(_ folder: StoreFolder) throws(StoreError) -> [String] {
        let names = try RocksDatabase.familyNames(path: folder.path)
        for name in names where FamilyName.firstPosition(name) == nil {
            if name != FamilyName.facts && name != FamilyName.table {
                throw StoreError(
                    .unusable,
                    "\(folder.path) is a database of something else: it has a family \(name)"
                )
            }
        }
        return names
    }

    /// The same and those that a store lacks whose making was interrupted.
    private static func allFamilies(_ folder: StoreFolder) throws(StoreError) -> [String] {
        var names = try families(folder)
        if !names.contains(FamilyName.table) { names.append(FamilyName.table) }
        if !names.contains(where: { FamilyName.firstPosition($0) != nil }) {
            names.append(FamilyName.segment(from: 1))
        }
        return names
    }

    static func readOrMakeFacts(
        _ database: RocksDatabase,
        _ folder: StoreFolder,
        _ createIfMissing: Bool,
        _ versions: StoreVersions
    ) throws(StoreError) -> StoreFacts {
        if let facts = try database.readFacts(upTo: versions.current) { return facts }
        let isEmpty = try database.isEmpty
        if !createIfMissing || !isEmpty {
            throw StoreError(.unusable, "\(folder.path) is a database, but no router's store")
        }
        var generator = SystemRandomNumberGenerator()
        let facts = StoreFacts.random(
            version: versions.current,
            madeAt: wallMilliseconds(),
            using: &generator
        )
        try write(facts, to: database)
        try folder.sync()
        return facts
    }

    static func write(_ facts: StoreFacts, to database: RocksDatabase) throws(StoreError) {
        var writer = StoreWriter(capacity: 64)
        facts.write(to: &writer)
        let value = writer.bytes
        StoreFacts.key.withByteView { database.put(FamilyName.facts, $0, value) }
        try database.commit(.synced)
        // Into a file, or it would hold on to the log in which it stands.
        try database.flush(FamilyName.facts, isWaiting: true)
    }

    /// Goes from the version found to the present one, step by step.
    func migrate() throws(StoreError) {
        while facts.version < versions.current {
            guard let step = versions.migrations.first(where: { $0.version == facts.version })
            else {
                throw StoreError(.unusable, "no way leads on from format \(facts.version)")
            }
            try step.apply(self)
            facts.version += 1
            try RocksStore.write(facts, to: opened())
        }
    }
}

extension RocksDatabase {
    /// Whether no family has a key.
    var isEmpty: Bool {
        get throws(StoreError) {
            for name in familyNames {
                var iterator = iterate(name)
                iterator.seekToFirst()
                if try iterator.isValid() { return false }
            }
            return true
        }
    }
}

extension StoreFacts {
    /// Of the record in the column family `default`.
    static var key: String { "format" }
}
