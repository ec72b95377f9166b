internal import DataStructures
internal import StoreFormat

/// The content of a store's folder, in the present format, compared with what the store's own files
/// say; nothing is changed.
///
/// Both a starting router and the tools look at a store in this way, so they find the same.
struct StoreFiles {
    let facts: StoreFacts
    let contents: StoreContents
    let journal: JournalFiles
    /// Why the table cannot be read.
    let tableProblem: StoreError?
    /// The files of the table that have their checksums; empty if there is a problem.
    let checkedTable: CheckedTable
    /// Names of what is not needed.
    let leftovers: [String]

    var problems: [StoreError] { (tableProblem.map { [$0] } ?? []) + journal.problems }

    /// - Parameters:
    ///   - folder: of the store.
    ///   - version: the newest one that can be read.
    ///   - limit: what the journal holds beyond counts as torn.
    ///   - earlier: the files of the table that an earlier reading has found whole.
    /// - Throws: what keeps the store from being read at all; other things are in `problems`.
    init(
        _ folder: StoreFolder,
        _ version: UInt32,
        upTo limit: JournalPlace? = nil,
        after earlier: CheckedTable? = nil
    ) throws(StoreError) {
        facts = try Self.facts(folder, version)
        let contents = try Self.contents(folder)
        try folder.refuseForeignFiles()
        if contents.identifier != facts.identifier {
            throw StoreError(
                .corrupt,
                "\(folder.path)/\(StoreName.contents) is of the store \(contents.identifier), "
                    + "and \(StoreName.facts) of \(facts.identifier)"
            )
        }
        self.contents = contents
        journal = try JournalFiles(folder, contents, upTo: limit)
        let names = try folder.names()
        var problem: StoreError?
        var checked = CheckedTable()
        do throws(StoreError) {
            try Self.refuseNewerTable(names, folder, contents.table.number)
            checked = try folder.check(contents.table, after: earlier)
        } catch {
            problem = error
        }
        tableProblem = problem
        checkedTable = checked
        leftovers = names.filter { Self.isLeftover($0, contents.table.number) }
    }

    static func facts(_ folder: StoreFolder, _ version: UInt32) throws(StoreError) -> StoreFacts {
        do throws(StoreError) {
            return try folder.withBytes(StoreName.facts) { bytes throws(StoreError) in
                try StoreFacts(bytes, upTo: version)
            }
        } catch {
            if error.code != .missing { throw error }
            throw StoreError(.corrupt, "\(folder.path)/\(StoreName.facts) is missing")
        }
    }

    static func contents(_ folder: StoreFolder) throws(StoreError) -> StoreContents {
        try folder.withBytes(StoreName.contents) { bytes throws(StoreError) in
            try StoreContents(bytes)
        }
    }

    /// Refuses a sealed table later than the next one: an interrupted seal has begun the next, and
    /// no later one.
    private static func refuseNewerTable(
        _ names: [String],
        _ folder: StoreFolder,
        _ number: UInt64
    ) throws(StoreError) {
        for name in names {
            guard let other = StoreName.sealedNumber(name), other > number + 1 else { continue }
            throw StoreError(
                .corrupt,
                "\(folder.path)/\(name) is newer than \(StoreName.contents), which names "
                    + (number == 0 ? "none" : StoreName.sealed(number))
            )
        }
    }

    /// True for names that are no longer needed. The folder of the migration is not among them: it
    /// is deleted last, because files of format 1 may exist as long as it does.
    private static func isLeftover(_ name: String, _ number: UInt64) -> Bool {
        if StoreName.sealedNumber(name) != nil { return name != StoreName.sealed(number) }
        return [StoreName.newContents, StoreName.trial].contains(name)
            || FormerName.belongs(name)
    }
}
