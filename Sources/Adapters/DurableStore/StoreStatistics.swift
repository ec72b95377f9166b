internal import DataStructures
package import StoreFormat

/// Numbers of records and bytes of a store; a router may use the store meanwhile.
package struct StoreStatistics {
    package let facts: StoreFacts
    /// The manifest of the newest checkpoint.
    package let manifest: StoreManifest
    /// Approximate number of records in the table.
    package let tableRecordEstimate: UInt64
    /// First positions of the journal's segments.
    package let segments: [UInt64]
    /// Records of the journal after the checkpoint.
    package let journalRecordCount: Int
    /// Bytes of these records.
    package let journalByteCount: Int
    /// Position of the last one of them; that of the checkpoint if there are none.
    package let lastPosition: UInt64
    /// Bytes of the sealed table's files.
    package let tableFileByteCount: UInt64
    /// Bytes of the journal's files.
    package let journalFileByteCount: UInt64
    /// Bytes of all other files.
    package let otherFileByteCount: UInt64

    package var fileByteCount: UInt64 {
        tableFileByteCount + journalFileByteCount + otherFileByteCount
    }

    /// Reads the journal after the checkpoint, and not the table.
    ///
    /// - Throws: errors of `StoreView`, and what is wrong with the journal.
    package init(path: String) throws(StoreError) {
        let view = try StoreView(path: path)
        try view.checkJournal()
        facts = view.facts
        manifest = try view.manifests().first ?? .none
        tableRecordEstimate = view.tableRecordEstimate
        segments = view.segments

        var chain = JournalChain(behind: manifest)
        let first = chain.next
        var byteCount = 0
        try view.replay(from: first) { group throws(StoreError) in
            try chain.follow(group) { record in
                byteCount += JournalRecord.headerByteCount + record.body.count
            }
        }
        journalRecordCount = Int(chain.next - first)
        journalByteCount = byteCount
        lastPosition = chain.next - 1

        tableFileByteCount = view.tableByteCount
        journalFileByteCount = view.journalByteCount
        let known = tableFileByteCount + journalFileByteCount
        let all = StoreFolder(path: path).byteCount
        otherFileByteCount = all > known ? all - known : 0
    }
}
