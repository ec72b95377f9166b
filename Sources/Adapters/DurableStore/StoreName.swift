internal import StoreFormat

/// The names in a store's folder.
///
///     A-NEWER-FORMAT   only so that a router of format 1 refuses the folder with a sentence
///     STORE            what the store is: `StoreDescription`
///     STORE.copy       the same once more
///     CONTENTS         which files must be there, replaced as a whole: `StoreContents`
///     journal/         the segments of the journal, named for their first positions
///     sealed-N/        the table as seal N left it: never written again
///     table/           RocksDB's own folder, made anew from sealed-N whenever the store is opened
enum StoreName {
    /// The file that makes a router of format 1 refuse the folder.
    static let newerFormat = "A-NEWER-FORMAT"
    /// The file with the description of the store.
    static let description = "STORE"
    /// The file with a copy of the description, from which a repair restores it.
    static let descriptionCopy = "STORE.copy"
    /// The file with the list of the files that must be there.
    static let contents = "CONTENTS"
    /// The suffix of a file's name until it is whole and replaces the present one.
    static let next = ".new"
    /// The names of the files that are replaced as a whole, until they are.
    static let unfinishedFiles = [contents, description, descriptionCopy].map { $0 + next }
    static let journal = "journal"
    static let table = "table"
    /// A file that is written and deleted, to test whether the disk has space.
    static let trial = "space.new"
    /// The folder in which a store of format 1 is converted. It is deleted only after all files of
    /// format 1.
    static let migration = "migrating"
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
    static func segment(_ first: UInt64) -> String {
        "\(journal)/\(SegmentHeader.fileName(first))"
    }

    /// True if what has this name in a store is a folder.
    static func isFolder(_ name: String) -> Bool {
        [journal, table, migration, "lost+found"].contains(name) || sealedNumber(name) != nil
    }

    /// True if a store of the present format may have a file or folder of this name at its top
    /// level.
    static func belongs(_ name: String) -> Bool {
        let names = [
            newerFormat, description, descriptionCopy, contents, journal, table, trial, migration,
        ]
        return (names + unfinishedFiles).contains(name) || name == "lost+found"
            || sealedNumber(name) != nil
    }
}
