internal import DataStructures
package import StoreFormat

/// What a store holds and how much space that takes; a router may use it meanwhile.
package struct StoreStatistics {
    package let facts: StoreFacts
    /// The newest checkpoint.
    package let manifest: StoreManifest
    /// About how many records the table has.
    package let tableRecordEstimate: UInt64
    /// First positions of the segments of the journal.
    package let segments: [UInt64]
    /// How many records of the journal lie behind the checkpoint, and the bytes of them.
    package let journalRecordCount: Int
    package let journalByteCount: Int
    /// The position of the last one of them, or of the checkpoint if there are none.
    package let lastPosition: UInt64
    /// Bytes of files: of the sealed table, of the journal, all others.
    package let tableFileByteCount: UInt64
    package let journalFileByteCount: UInt64
    package let otherFileByteCount: UInt64

    package var fileByteCount: UInt64 {
        tableFileByteCount + journalFileByteCount + otherFileByteCount
    }

    /// Reads the journal behind the checkpoint, and not the table.
    ///
    /// - Throws: what `StoreView` throws, and what is wrong with the journal.
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
