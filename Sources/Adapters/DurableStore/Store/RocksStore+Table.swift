package import Basics
package import StoreFormat

/// The table: changed in RocksDB's memory, and sealed on a thread of its own.
extension RocksStore {
    /// The open table.
    func openedTable() throws(StoreError) -> RocksDatabase {
        guard let database = try opened().database else {
            throw tableFailure ?? StoreError(.io, message: "the table of \(path) is closed")
        }
        return database
    }

    /// Gives up the table as it is now, with all that is not sealed, and what that takes of the
    /// disk; the journal continues. Returns the error.
    private func loseTable(_ error: StoreError) -> StoreError {
        tableFailure = error
        closeTable()
        // What is left is deleted when the table is opened again.
        try? removeUnsealed()
        return error
    }

    private func removeUnsealed() throws(StoreError) {
        try identity.check()
        let next = StoreName.sealed(try opened().contents.table.number + 1)
        for name in [StoreName.table, next, next + StoreName.unfinished] { try folder.remove(name) }
    }

    /// Opens the table again as it was sealed last.
    package func reopenTable() throws(StoreError) {
        if tableFailure == nil { return }
        let parts = try openedForChange()
        do throws(StoreError) {
            try removeUnsealed()
            checkedTable = try folder.check(parts.contents.table, after: checkedTable)
            parts.database = try folder.openTable(parts.contents.table)
            knownErrorCount = 0
            tableFailure = nil
        } catch {
            tableFailure = error
            throw error
        }
    }

    /// Writes changes to RocksDB's memory; `seal` makes them durable.
    package func write(_ changes: borrowing TableChanges) throws(StoreError) {
        let database = try openedTable()
        func add(_ key: ByteView, value: ByteView?) {
            if let value { database.put(key, value: value) } else { database.delete(key) }
        }
        try changes.forEachRecord(add)
        do throws(StoreError) { try database.commit() } catch { throw loseTable(error) }
    }

    /// Starts to seal the table on a thread; does nothing if it has started already.
    package func beginSeal() throws(StoreError) {
        let parts = try openedForChange()
        try identity.check()
        if sealing != nil { return }
        cleaning.take()?.wait()
        let work = TableSealing(
            database: try openedTable(),
            folder: folder,
            previous: parts.contents.table,
            identity: identity
        )
        sealing = StoreTask { Result { () throws(StoreError) in try work.seal() } }
    }

    /// Waits until the table is sealed, and names the sealed table in `CONTENTS`.
    package func seal() throws(StoreError) {
        try beginSeal()
        let parts = try opened()
        let table: StoreContents.SealedTable
        do throws(StoreError) {
            table = try sealing.take()!.wait().get()
        } catch {
            throw loseTable(error)
        }
        let before = parts.contents.table
        assert(table.number == before.number + 1, "the sealed table is not the next one")
        var contents = parts.contents
        contents.table = table
        try write(contents)
        // RocksDB has recovered from errors that happened meanwhile, such as in a merging of files.
        knownErrorCount = try openedTable().backgroundErrorCount
        assert(cleaning == nil, "the table before the last one is still being deleted")
        if before.number > 0 {
            // A later start deletes what is left of it.
            let name = StoreName.sealed(before.number)
            cleaning = StoreTask { [folder, identity] in
                if (try? identity.check()) != nil { try? folder.remove(name) }
            }
        }
    }

    /// True while the table must not be given more work. It is false after RocksDB has failed to
    /// write a file: the waiting buffers would never become fewer, and the next call must report
    /// the failure.
    package var isTableBusy: Bool {
        guard let database = parts?.database else { return false }
        if let sealing { return sealing.isRunning }
        if database.backgroundErrorCount > knownErrorCount { return false }
        return database.property("rocksdb.num-immutable-mem-table")
            >= RocksLimits.tableBuffersWaiting
    }

    /// Calls `body` for all records of the table, with their headers, in the order of their keys.
    package func scan(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
        try openedTable().readTable(body)
    }

    /// Closes the database, unless another folder lies at its path: see `close`.
    func closeTable() {
        guard let database = parts?.database else { return }
        if (try? identity.check()) == nil { _ = unsafe Unmanaged.passRetained(database) }
        parts?.database = nil
    }
}
