internal import StoreFormat

/// The names in a store's folder.
///
///     STORE            what the store is: `StoreDescription`
///     STORE.copy       the same once more
///     CONTENTS         which files must be there, replaced as a whole: `StoreContents`
///     journal/         the segments of the journal, named for their first positions
///     sealed-N/        the table as seal N left it: never written again
///     table/           RocksDB's own folder, made anew from sealed-N whenever the store is opened
enum StoreName {
    /// The file with the description of the store.
    static let description = "STORE"
    /// The file with a copy of the description, from which a repair restores it.
    static let descriptionCopy = "STORE.copy"
    /// The file with the list of the files that must be there.
    static let contents = "CONTENTS"
    /// The suffix of a file's name until it is whole and replaces the present one.
    static let next = ".new"
    static let journal = "journal"
    static let table = "table"
    /// A file that is written and deleted, to test whether the disk has space.
    static let trial = "space.new"
    /// Files that no router needs, and the first change deletes: what an interruption has left of
    /// those that are replaced as a whole, and one that routers before the first release wrote.
    static let unneeded =
        [contents, description, descriptionCopy].map { $0 + next } + [trial, "A-NEWER-FORMAT"]
    private static let sealedPrefix = "sealed-"
    /// The suffix of a sealed table's name until it is complete.
    static let unfinished = ".tmp"

    /// The name of a sealed table.
    static func sealed(_ number: UInt64) -> String { "\(sealedPrefix)\(number)" }

    /// The number of a sealed table, complete or not; nil if the name is not of one.
    static func sealedNumber(_ name: String) -> UInt64? {
        guard name.hasPrefix(sealedPrefix) else { return nil }
        let digits = name.dropFirst(sealedPrefix.count)
        let number = digits.hasSuffix(unfinished) ? digits.dropLast(unfinished.count) : digits
        return number.allSatisfy(\.isNumber) ? UInt64(number) : nil
    }

    /// The path of a segment by its first position, relative to the store's folder.
    static func segment(_ first: UInt64) -> String { "\(journal)/\(SegmentHeader.fileName(first))" }

    /// True if what has this name in a store is a folder.
    static func isFolder(_ name: String) -> Bool {
        [journal, table, "lost+found"].contains(name) || sealedNumber(name) != nil
    }

    /// True if a store may have a file or folder of this name at its top level.
    static func belongs(_ name: String) -> Bool {
        ([description, descriptionCopy, contents] + unneeded).contains(name) || isFolder(name)
    }
}
