internal import StoreFormat

/// The names of what lies in the folder of a store.
///
///     A-NEWER-FORMAT   only so that a router of format 1 refuses the folder with a sentence
///     STORE            what the store is, written once: `StoreFacts`
///     CONTENTS         which files must be there, replaced as a whole: `StoreContents`
///     journal/         the segments of the journal, named for their first positions
///     sealed-N/        the table as seal N left it: never written again
///     table/           RocksDB's own folder, made anew from sealed-N whenever the store is opened
enum StoreName {
    static let newerFormat = "A-NEWER-FORMAT"
    static let facts = "STORE"
    static let contents = "CONTENTS"
    static let newContents = "CONTENTS.new"
    static let journal = "journal"
    static let table = "table"
    /// Written and deleted to see whether the disk has room.
    static let trial = "space.new"
    /// A store of format 1 is written anew in it, and its own files go before this does.
    static let migration = "migrating"
    private static let sealedPrefix = "sealed-"
    /// What is added to the name of a sealed table as long as it is not finished.
    static let unfinished = ".tmp"

    static func sealed(_ number: UInt64) -> String { "\(sealedPrefix)\(number)" }

    /// The number of a sealed table, finished or not; nil if the name is not one's.
    static func sealedNumber(_ name: String) -> UInt64? {
        guard name.hasPrefix(sealedPrefix) else { return nil }
        let digits = name.dropFirst(sealedPrefix.count)
        let number = digits.hasSuffix(unfinished) ? digits.dropLast(unfinished.count) : digits
        return number.allSatisfy(\.isNumber) ? UInt64(number) : nil
    }

    static func segment(_ first: UInt64) -> String {
        "\(journal)/\(SegmentHeader.fileName(first))"
    }

    /// Whether a store of the present format has a file or folder of this name at its top.
    static func belongs(_ name: String) -> Bool {
        let names = [newerFormat, facts, contents, newContents, journal, table, trial, migration]
        return names.contains(name) || name == "lost+found" || sealedNumber(name) != nil
    }
}

/// What a folder holds.
enum StoreKind {
    /// No store, or what the making of one left when it was interrupted.
    case none
    /// A store of format 1.
    case former
    case present
}

extension StoreFolder {
    /// Finds out what the folder holds.
    ///
    /// The making of a store writes `CONTENTS` last, and opens a table only then: so where there is
    /// a table, or a record, `CONTENTS` is lost.
    ///
    /// - Throws: `corrupt` if the file is gone that names all others.
    func kind() throws(StoreError) -> StoreKind {
        let names = try names()
        // The last step of a migration takes CURRENT away; see `StoreMigration`.
        let isUnfinished = names.contains(FormerName.current) && names.contains(StoreName.migration)
        if names.contains(StoreName.contents) && !isUnfinished { return .present }
        if try hasFormerStore(names) { return .former }
        var found = names.filter { $0 == StoreName.table || StoreName.sealedNumber($0) != nil }
        if names.contains(StoreName.journal) {
            let journal = subfolder(StoreName.journal)
            let segments = try journal.names()
            let hasRecords = segments.contains {
                journal.byteCount($0) ?? 0 > UInt64(SegmentHeader.byteCount)
            }
            if segments.count > 1 || hasRecords { found.insert(StoreName.journal, at: 0) }
        }
        if found.isEmpty { return .none }
        throw StoreError(
            .corrupt,
            "\(path) holds parts of a store (\(found.joined(separator: ", "))), but not "
                + "\(StoreName.contents), which names the files in use; nothing was changed; "
                + "put a backup in its place"
        )
    }

    /// Refuses what no store would have left here.
    func refuseForeignFiles() throws(StoreError) {
        let names = try names()
        let isMigrating = names.contains(StoreName.migration)
        for name in names where !StoreName.belongs(name) {
            if isMigrating && FormerName.belongs(name) { continue }
            throw StoreError(.unusable, "\(path) is no store: it contains \(name)")
        }
    }
}
