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
