package import Basics
internal import Platform
package import StoreFormat

/// The durable store: a journal and a table, as `StoreEngine` requires for writing and
/// `StoreSource` for restoring.
///
///     journal  files of our own, one for each segment: `JournalFiles`
///     table    RocksDB, in a folder that is made anew at each start from what was sealed last
///
/// The file `CONTENTS` names the files of which the store consists. It is replaced as a whole: when
/// a segment begins, when old segments are deleted, when the table is sealed, and at the end.
package final class RocksStore: StoreEngine {
    let folder: StoreFolder
    /// The path of the folder.
    package var path: String { folder.path }
    private let lock: StoreLock
    var identity: StoreIdentity
    private let version: UInt32
    /// The machine's present boot; nil if it is not known.
    private let boot: StoreDescription.Identifier?
    /// The store's identity and format; the first change makes it one of this format.
    package private(set) var description: StoreDescription
    /// An incomplete group at the end of the journal when the store was opened; the first change
    /// cuts it off.
    package let tornEnd: TornEnd?
    /// The open files; nil after `close`, and after `reopen` has failed.
    var parts: StoreParts?
    /// The names in the folder that are no longer needed; the first change deletes them.
    private var leftovers: [String]
    /// True once the first change has cut off a torn end and deleted what is not needed.
    private var isCleared = false
    /// Where the journal ends. Bytes after that come from an append that has failed.
    private var journalEnd: JournalEnd
    /// The size of the append that has failed, in bytes; 0 if the last one succeeded.
    private var failedByteCount = 0
    /// The files of the sealed table whose bytes had the right checksums when the store was last
    /// opened.
    var checkedTable: CheckedTable
    /// The seal in progress; nil except between `beginSeal` and `seal`.
    var sealing: StoreTask<Result<StoreContents.SealedTable, StoreError>>?
    /// The last note of the journal's end, which may not be written yet; nil if there is none. Its
    /// result is what `CONTENTS` says then; nil if that may be this or what it said before.
    private var note: StoreTask<StoreContents?>?
    /// The deletion of the sealed table that the last seal has replaced; nil if there is none.
    var cleaning: StoreTask<Void>?
    /// Why the table cannot be used; nil while it can.
    package internal(set) var tableFailure: StoreError?
    /// The number of RocksDB's background errors when the last seal succeeded, which shows that
    /// RocksDB has recovered from them.
    var knownErrorCount: UInt64 = 0

    /// Opens the store of a folder.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - createIfMissing: whether to make a store, and the last folder of the path, if there is
    ///     none.
    ///   - position: the last record that a new store leaves out: its journal starts at the next
    ///     one. A store that is there already ignores it.
    ///   - version: the newest version of the format that may be read.
    ///   - tableBuffer: bytes of each of the table's buffers in memory; nil for the usual size.
    ///   - boot: the machine's present boot; nil if it is not known.
    /// - Throws: `locked`, `missing`, `unusable`, `older`, `newer`, `corrupt`, `gap`, `full` or
    ///   `io`; then nothing was changed.
    package convenience init(
        path: String,
        createIfMissing: Bool,
        after position: UInt64 = 0,
        version: UInt32 = StoreDescription.currentVersion,
        tableBuffer: Int? = nil,
        boot: StoreDescription.Identifier? = .ofThisBoot
    ) throws(StoreError) {
        let folder = StoreFolder(path: path, tableBuffer: tableBuffer)
        if createIfMissing { try folder.make() }
        let lock = try StoreLock(folder)
        if try !folder.hasStore() {
            try folder.refuseForeignFiles()
            if !createIfMissing {
                throw StoreError(.missing, message: "there is no store in \(folder.path)")
            }
            var generator = SystemRandomNumberGenerator()
            let description = StoreDescription.random(
                version: version,
                madeAt: .now,
                using: &generator
            )
            try folder.makeStore(description, after: position, boot: boot)
        }
        try self.init(folder, lock: lock, version: version, boot: boot)
    }

    /// Creates the empty store that a copy of another one is written to, which keeps the original's
    /// identity, in a folder that is empty or missing. `position` is the last record that the
    /// copied checkpoint includes: the copy's journal starts at the next one. Throws `unusable` if
    /// there is something in the folder; what is wrong with the disk.
    convenience init(
        path: String,
        description: StoreDescription,
        after position: UInt64
    ) throws(StoreError) {
        let folder = StoreFolder(path: path)
        try folder.make()
        let lock = try StoreLock(folder)
        if try !folder.names().isEmpty {
            throw .unusable("\(path) is not empty")
        }
        try folder.makeStore(description, after: position, boot: .ofThisBoot)
        try self.init(folder, lock: lock, version: description.version, boot: .ofThisBoot)
    }

    private init(
        _ folder: StoreFolder,
        lock: StoreLock,
        version: UInt32,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) {
        self.folder = folder
        self.lock = lock
        self.version = version
        self.boot = boot
        let files = try StoreFiles(folder, version: version, boot: boot)
        if let problem = files.problems.first { throw problem }
        let parts = try files.open(folder)
        parts.database = try folder.openTable(files.contents.table)
        self.parts = parts
        description = files.description
        leftovers = files.leftovers
        tornEnd = parts.journal.tornEnd
        journalEnd = parts.journal.currentEnd
        checkedTable = files.checkedTable
        identity = StoreIdentity(folder, lock: lock)
    }

    // The store's threads must not outlive its lock.
    deinit { close() }

    /// Closes the store when everything was appended, and notes where the journal ends, so that a
    /// later loss of its end is detected. Throws `full` or `io`; the store is then closed without
    /// the note.
    package func end() throws(StoreError) {
        defer { close() }
        let parts = try openedForChange()
        try write(parts.contents)
    }

    /// Closes the store; changes to the table that were not sealed are lost. A second call does
    /// nothing.
    ///
    /// When RocksDB closes a database, it deletes all unknown files at the database's path. So if
    /// another folder lies there by now, the database stays open until the process ends.
    package func close() {
        _ = sealing.take()?.wait()
        finishNote()
        cleaning.take()?.wait()
        closeTable()
        parts = nil
    }

    /// Opens the files again after a failure, and cuts off what a failed append has written.
    ///
    /// After a failed sync, the bytes can still be read until the next loss of power, although they
    /// are not on the disk, and a later sync succeeds without writing them (Rebello et al., "Can
    /// Applications Recover from fsync Failures?", USENIX ATC 2020). So they must be written again.
    package func reopen() throws(StoreError) {
        // The folder there may be another process's, which this one has not locked. The database
        // stays open meanwhile: see `close`.
        try identity.check()
        close()
        knownErrorCount = 0
        let files = try StoreFiles(
            folder,
            version: version,
            upTo: journalEnd,
            after: checkedTable,
            boot: boot
        )
        checkedTable = files.checkedTable
        if files.description.identifier != description.identifier {
            throw StoreError(
                .replaced,
                message:
                    "\(path) holds the store \(files.description.identifier), and not \(description.identifier), "
                    + "which was opened"
            )
        }
        if let problem = files.journal.problems.first { throw problem }
        try checkEnd(files.journal.end)
        let parts = try files.open(folder, withSpaceFor: failedByteCount)
        tableFailure = files.tableProblem
        if tableFailure == nil {
            do throws(StoreError) {
                parts.database = try folder.openTable(files.contents.table)
            } catch {
                tableFailure = error
            }
        }
        self.parts = parts
        leftovers = files.leftovers
        isCleared = false
        // If nothing was changed yet, cutting off and deleting wait for the first change.
        if hasChanged { _ = try openedForChange() }
    }

    /// True if anything was changed since the store was first opened.
    private var hasChanged = false

    /// Compares the end of the journal with what was appended last before the files were closed.
    private func checkEnd(_ found: StoreContents.JournalEnd) throws(StoreError) {
        let last = journalEnd.end
        if found.position == last.position {
            if found.checksum == last.checksum || last.checksum == 0 || found.checksum == 0 {
                return
            }
        }
        throw StoreError(
            found.position < last.position ? .gap : .corrupt,
            message: "another program changed the journal: it ends with record \(found.position), "
                + "but record \(last.position) was appended last"
        )
    }

    /// The open files.
    func opened() throws(StoreError) -> StoreParts {
        guard let parts else {
            throw StoreError(.io, message: "the store \(folder.path) is closed")
        }
        return parts
    }

    /// The open files, for a change.
    ///
    /// The first change cuts off a torn end and deletes what is not needed: by then the start has
    /// succeeded.
    func openedForChange() throws(StoreError) -> StoreParts {
        assert(!isCleared || hasChanged, "the store was cleared by no change")
        let parts = try opened()
        if isCleared { return parts }
        try identity.check()
        hasChanged = true
        if description.version < version {
            var upgraded = description
            upgraded.version = version
            // After an error, too: the file may have been replaced all the same.
            defer { identity = StoreIdentity(folder, lock: lock) }
            try folder.write(upgraded, to: StoreName.description)
            description = upgraded
        }
        let copy = StoreName.descriptionCopy
        if (try? StoreFiles.readDescription(folder, in: copy, upTo: version)) != description {
            try folder.write(description, to: copy)
        }
        try parts.journal.clear()
        for name in leftovers { try folder.remove(name) }
        leftovers = []
        isCleared = true
        return parts
    }

    /// The size of all files of the store, in bytes.
    package var diskByteCount: UInt64 { folder.byteCount }

    /// The first positions of the journal's segments.
    var segments: [UInt64] { parts?.journal.segments ?? [] }

    /// Replaces `CONTENTS`, with the present end of the journal, which is made durable first.
    func write(_ contents: StoreContents) throws(StoreError) {
        let parts = try opened()
        finishNote()
        try parts.journal.sync()
        var contents = contents
        contents.end = parts.journal.end
        contents.boot = boot
        if contents == parts.contents { return }
        try identity.check()
        try folder.write(contents)
        parts.contents = contents
    }

    // MARK: Journal

    /// Begins to write into `CONTENTS` how far the journal reaches, on a thread of its own, while
    /// the journal continues. What it names is on the disk before, as whenever `CONTENTS` is
    /// written.
    package func noteEnd() throws(StoreError) -> Bool {
        let parts = try openedForChange()
        if let note, note.isRunning { return false }
        finishNote()
        var contents = parts.contents
        contents.end = parts.journal.end
        contents.boot = boot
        if contents == parts.contents { return true }
        let segment = parts.journal.isDirty ? parts.journal.files.last!.name : nil
        note = StoreTask { [contents, folder, identity] in
            do throws(StoreError) {
                if let segment { try folder.sync(segment) }
                try identity.check()
                try folder.write(contents)
                return contents
            } catch {
                // Nothing depends on it: the next change of CONTENTS says what is wrong.
                return nil
            }
        }
        return true
    }

    /// Waits until the last note is written: only one at a time may replace `CONTENTS`.
    func finishNote() {
        if let contents = note.take()?.wait() { parts?.contents = contents }
    }

    /// Appends whole journal records as one group: all of them are kept, or none.
    package func append(
        _ records: ByteView,
        from position: UInt64,
        isSynced: Bool
    ) throws(StoreError) {
        failedByteCount = records.count
        let journal = try openedForChange().journal
        try journal.append(records, from: position, isSynced: isSynced)
        // Checked after the append: a record may only be acknowledged if it is where the next start
        // looks for it.
        try identity.check()
        failedByteCount = 0
        journalEnd = journal.currentEnd
    }

    /// Writes a group without appending it: `reopen` cuts it off. For tests of failures.
    func put(_ records: ByteView, from position: UInt64) throws(StoreError) {
        _ = try openedForChange().journal.put(records, from: position)
    }

    /// Calls `body` for the groups of the journal from `position` on, and checks their records.
    package func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var chain = JournalChain(next: position, parent: nil)
        try opened().journal.replay(from: position) { group throws(StoreError) in
            let before = chain.next
            try chain.follow(group)
            if chain.next > before { try body(group) }
        }
    }

    /// Begins a new segment of the journal; does nothing if one begins there already.
    package func rotate(before position: UInt64) throws(StoreError) {
        let parts = try openedForChange()
        let journal = parts.journal
        if let last = journal.segments.last, last >= position { return }
        try identity.check()
        let header = try journal.makeSegment(before: position)
        var contents = parts.contents
        contents.segments.append(.init(first: position, checksum: header.checksum))
        try write(contents)
        try journal.adopt(header)
        journalEnd = journal.currentEnd
    }

    /// Deletes the segments whose records all have lower positions.
    package func cut(before position: UInt64) throws(StoreError) {
        let parts = try openedForChange()
        try identity.check()
        assert(
            parts.contents.segments.count == parts.journal.files.count,
            "CONTENTS names other segments than those of the journal"
        )
        let count = parts.journal.count(before: position)
        if count == 0 { return }
        var contents = parts.contents
        contents.segments.removeFirst(count)
        try write(contents)
        try parts.journal.removeFirst(count)
    }
}
