internal import Basics
internal import StoreFormat

/// What a store's folder contains, compared with what `STORE` and `CONTENTS` say; nothing is
/// changed.
///
/// A router that starts and the tools both read a store in this way, so they find the same.
struct StoreFiles {
    let description: StoreDescription
    let contents: StoreContents
    let journal: JournalFiles
    /// Why the table cannot be read; nil if it can, or if there is none.
    let tableProblem: StoreError?
    /// The files of the table, all of which have the right checksums; empty if `tableProblem` is
    /// not nil.
    let checkedTable: CheckedTable
    /// The names of files and folders that are no longer needed.
    let leftovers: [String]

    /// Everything that was found to be wrong.
    var problems: [StoreError] { (tableProblem.map { [$0] } ?? []) + journal.problems }

    /// Reads and checks all files. Everything in the journal after `limit` counts as torn, and
    /// files of the table that were found whole before (`earlier`) are not read again. Throws why
    /// the store cannot be read at all; everything else is in `problems`.
    init(
        _ folder: StoreFolder,
        version: UInt32,
        upTo limit: JournalEnd? = nil,
        after earlier: CheckedTable? = nil,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) {
        let description = try Self.readDescription(folder, upTo: version)
        let contents = try Self.contents(folder)
        try folder.refuseForeignFiles()
        try self.init(
            folder,
            description: description,
            contents: contents,
            upTo: limit,
            after: earlier,
            boot: boot
        )
    }

    /// Reads and checks the files that `contents` names.
    init(
        _ folder: StoreFolder,
        description: StoreDescription,
        contents: StoreContents,
        upTo limit: JournalEnd? = nil,
        after earlier: CheckedTable? = nil,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) {
        self.description = description
        if contents.identifier != description.identifier {
            throw .corrupt(
                "\(folder.path)/\(StoreName.contents) belongs to the store \(contents.identifier), "
                    + "and \(StoreName.description) to \(description.identifier)"
            )
        }
        self.contents = contents
        journal = try JournalFiles(
            folder,
            contents: contents,
            upTo: limit,
            hasLostNoPower: boot != nil && boot == contents.boot
        )
        let names = try folder.names()
        var problem: StoreError?
        var checked = CheckedTable()
        do throws(StoreError) {
            try Self.refuseNewerTable(names, in: folder, than: contents.table.number)
            checked = try folder.check(contents.table, after: earlier)
        } catch {
            problem = error
        }
        tableProblem = problem
        checkedTable = checked
        leftovers = names.filter { Self.isLeftover($0, sealed: contents.table.number) }
    }

    /// Reads the file `STORE`, or its copy. A store of several partitions is refused: there is no
    /// folder yet that has their tables.
    static func readDescription(
        _ folder: StoreFolder,
        in name: String = StoreName.description,
        upTo version: UInt32
    ) throws(StoreError) -> StoreDescription {
        do throws(StoreError) {
            let description = try folder.withBytes(name) { bytes throws(StoreError) in
                try StoreDescription(bytes, upTo: version)
            }
            try description.require(partitions: 1)
            return description
        } catch {
            if error.code != .missing { throw error }
            throw .corrupt("\(folder.path)/\(name) is missing")
        }
    }

    /// Reads the file `CONTENTS`.
    static func contents(_ folder: StoreFolder) throws(StoreError) -> StoreContents {
        try folder.withBytes(StoreName.contents) { bytes throws(StoreError) in
            try StoreContents(bytes)
        }
    }

    /// Refuses a sealed table with a number above `number + 1`: an interrupted seal may have left
    /// the next table, but none after it.
    private static func refuseNewerTable(
        _ names: [String],
        in folder: StoreFolder,
        than number: UInt64
    ) throws(StoreError) {
        for name in names {
            guard let other = StoreName.sealedNumber(name), other > number + 1 else { continue }
            throw .corrupt(
                "\(folder.path)/\(name) is newer than \(StoreName.contents), which names "
                    + (number == 0 ? "none" : StoreName.sealed(number))
            )
        }
    }

    /// True for names that are no longer needed.
    private static func isLeftover(_ name: String, sealed number: UInt64) -> Bool {
        if StoreName.sealedNumber(name) != nil { return name != StoreName.sealed(number) }
        return StoreName.unneeded.contains(name)
    }
}
