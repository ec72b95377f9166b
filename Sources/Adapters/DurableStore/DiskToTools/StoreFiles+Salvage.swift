internal import Basics
internal import StoreFormat

/// What a repair makes up for: files that say what is in the store, but are not its content.
extension StoreFiles {
    /// Reads and checks all files; a `STORE` or `CONTENTS` that is missing or damaged is made up
    /// for, from the copy of the one, and from the files that there are: `losses` receives what
    /// was. Throws why nothing can be read.
    init(
        salvaging folder: StoreFolder,
        boot: StoreDescription.Identifier?,
        losses: inout [StoreError]
    ) throws(StoreError) {
        try folder.refuseForeignFiles()
        let description = try Self.salvagedDescription(folder, losses: &losses)
        var contents: StoreContents
        do throws(StoreError) {
            contents = try Self.contents(folder)
            if contents.identifier != description.identifier {
                throw .corrupt("\(folder.path)/\(StoreName.contents) is of another store")
            }
        } catch {
            if ![.corrupt, .missing].contains(error.code) { throw error }
            contents = try StoreContents(rebuiltFrom: folder, of: description.identifier)
            losses.append(
                StoreError.corrupt(
                    "\(error.message); it was made anew from the files that are there, so how "
                        + "far the journal reached is not known"
                )
            )
        }
        try self.init(folder, description: description, contents: contents, boot: boot)
    }

    /// Reads `STORE`, or its copy.
    private static func salvagedDescription(
        _ folder: StoreFolder,
        losses: inout [StoreError]
    ) throws(StoreError) -> StoreDescription {
        let version = StoreDescription.currentVersion
        do throws(StoreError) {
            return try readDescription(folder, upTo: version)
        } catch {
            if error.code != .corrupt { throw error }
            let copy = StoreName.descriptionCopy
            guard let found = try? readDescription(folder, in: copy, upTo: version) else {
                throw error
            }
            losses.append(
                StoreError(error.code, message: "\(error.message); \(copy) is used in its place")
            )
            return found
        }
    }
}

extension StoreContents {
    /// Makes the list of a store's files from those that are there: the segments of the journal
    /// that belong to the store, and the newest sealed table that can be opened. Throws `corrupt`
    /// if there is no segment.
    fileprivate init(
        rebuiltFrom folder: StoreFolder,
        of identifier: StoreDescription.Identifier
    ) throws(StoreError) {
        var segments: [Segment] = []
        let journal = folder.subfolder(StoreName.journal)
        for name in journal.exists ? try journal.names() : [] {
            var header: SegmentHeader?
            try journal.readBlocks(name, of: SegmentHeader.byteCount) { block throws(StoreError) in
                header = SegmentHeader(block)
                return false
            }
            guard let header, header.identifier == identifier,
                SegmentHeader.fileName(header.first) == name
            else { continue }
            segments.append(Segment(first: header.first, checksum: header.checksum))
        }
        guard let first = segments.first?.first else {
            throw .corrupt("\(journal.path) has no file of this store")
        }
        var table = SealedTable.none
        let names = try folder.names().filter { !$0.hasSuffix(StoreName.unfinished) }
        for number in names.compactMap(StoreName.sealedNumber).sorted().reversed() {
            guard let found = try? folder.describe(sealed: number) else { continue }
            table = found
            break
        }
        self.init(
            identifier: identifier,
            end: JournalEnd(position: first - 1, checksum: 0),
            segments: segments,
            table: table
        )
    }
}

extension StoreFolder {
    /// Describes a sealed table as it is.
    fileprivate func describe(
        sealed number: UInt64
    ) throws(StoreError) -> StoreContents.SealedTable {
        let sealed = subfolder(StoreName.sealed(number))
        let database = try RocksDatabase(path: sealed.path, access: .readOnly)
        guard let manifest = try database.newestManifest() else {
            throw .corrupt("\(sealed.path) has no checkpoint")
        }
        var files: [StoreContents.File] = []
        for name in try sealed.names() {
            let sum = try sealed.checksum(of: name)
            let byteCount = sealed.byteCount(name) ?? 0
            files.append(StoreContents.File(name: name, byteCount: byteCount, checksum: sum))
        }
        return StoreContents.SealedTable(number: number, position: manifest.position, files: files)
    }

    /// Opens a sealed table, as `CONTENTS` describes it, of which files with records are damaged,
    /// if those that list them are whole: of the damaged ones, what can be read is kept
    /// (`RocksDatabase.readRemains`). Returns nil if RocksDB must not or cannot open it, or no file
    /// is damaged. Throws what the disk reports.
    func openDamaged(_ table: StoreContents.SealedTable) throws(StoreError) -> RocksDatabase? {
        let sealed = subfolder(StoreName.sealed(table.number))
        var hasDamage = false
        for file in table.files {
            if sealed.byteCount(file.name) != file.byteCount { return nil }
            if try sealed.checksum(of: file.name) == file.checksum { continue }
            // RocksDB, whose assertions end the process, must read no other list than its own. The
            // blocks of records have checksums, which it compares.
            if !file.name.hasSuffix(".sst") { return nil }
            hasDamage = true
        }
        if !hasDamage { return nil }
        return try RocksDatabase(path: sealed.path, access: .readOnly)
    }

    /// Makes a database, in a new folder, of a sealed table whose records are whole, but not the
    /// files that list them (`CURRENT`, `MANIFEST-…`); `losses` receives the files of records that
    /// are damaged or missing, and are left out. The database's files are deleted already, and gone
    /// when it is closed. Throws what RocksDB, or the disk, reports.
    func openUnlisted(
        _ table: StoreContents.SealedTable,
        losses: inout [StoreError]
    ) throws(StoreError) -> RocksDatabase {
        let sealed = subfolder(StoreName.sealed(table.number))
        let scratch = try temporaryNeighbour()
        defer { try? scratch.removeAll() }
        for file in table.files where file.name.hasSuffix(".sst") {
            let isWhole = sealed.byteCount(file.name) == file.byteCount
            if isWhole, try sealed.checksum(of: file.name) == file.checksum {
                try sealed.link(file.name, into: scratch)
                continue
            }
            let location = "\(sealed.path)/\(file.name)"
            let sentence = "\(location), with records of the table, is missing or damaged"
            losses.append(StoreError.corrupt(sentence))
        }
        try RocksDatabase.makeList(path: scratch.path)
        return try RocksDatabase(path: scratch.path, access: .readOnly)
    }
}
