internal import StoreFormat

/// Whether the files of a folder can be those of a store.
extension StoreFolder {
    /// The list of files with which RocksDB begins; it writes the next one before it uses anything
    /// else, and never comes back to this name.
    private static let firstList = "MANIFEST-000001"

    /// Whether a database has been made here.
    ///
    /// RocksDB makes a new one wherever there is no `CURRENT`, and deletes all files that it does
    /// not know; so what is still there must be what the making of a store leaves if it is
    /// interrupted: at most the first list.
    ///
    /// - Throws: `corrupt` if `CURRENT` is gone from a store.
    func hasDatabase() throws(StoreError) -> Bool {
        if byteCount("CURRENT") != nil { return true }
        let names = try names()
        let list = names.last { $0.hasPrefix("MANIFEST-") && $0 != Self.firstList }
        let tableCount = names.count { $0.hasSuffix(".sst") }
        let logCount = names.count { $0.hasSuffix(".log") }
        if list == nil && tableCount == 0 && logCount == 0 { return false }
        var found = list.map { [$0] } ?? []
        if tableCount > 0 { found.append("\(tableCount) table\(tableCount == 1 ? "" : "s")") }
        if logCount > 0 { found.append("\(logCount) log\(logCount == 1 ? "" : "s")") }
        throw StoreError(
            .corrupt,
            "\(path) holds files of a store (\(found.joined(separator: ", "))), but not CURRENT, "
                + "which names the list in use; nothing was changed; put a backup in its place"
        )
    }

    /// Refuses a store that has lost all of its log.
    ///
    /// RocksDB begins the next file of its log before it deletes one, and the first before it names
    /// its second list.
    func refuseMissingLog() throws(StoreError) {
        // Who reads the names while a router changes files may miss both.
        for _ in 0..<3 where try !logNames().isEmpty { return }
        if try fileListName() == Self.firstList { return }
        throw StoreError(
            .gap,
            "\(path) holds no log (.log), of which a router always leaves one: "
                + "the end of the journal is missing"
        )
    }
}
