internal import Basics
package import StoreFormat

/// The numbers of records and bytes of a store; a router may use the store meanwhile.
package struct StoreStatistics {
    /// The store's identity.
    package let description: StoreDescription
    /// The manifest of the newest checkpoint.
    package let manifest: StoreManifest
    /// The approximate number of records in the table.
    package let tableRecordEstimate: UInt64
    /// The first positions of the journal's segments.
    package let segments: [UInt64]
    /// The number of records of the journal after the checkpoint.
    package let journalRecordCount: Int
    /// The size of these records, in bytes.
    package let journalByteCount: Int
    /// The position of the last of these records; the checkpoint's position if there are none.
    package let lastPosition: UInt64
    /// The size of the sealed table's files, in bytes.
    package let tableFileByteCount: UInt64
    /// The size of the journal's files, in bytes.
    package let journalFileByteCount: UInt64
    /// The size of all other files, in bytes.
    package let otherFileByteCount: UInt64

    /// The size of all files, in bytes.
    package var fileByteCount: UInt64 {
        tableFileByteCount + journalFileByteCount + otherFileByteCount
    }

    /// Opens the store in a folder and reads the journal after the checkpoint, but not the table.
    /// Throws errors of `StoreView`, and what is wrong with the journal.
    package init(path: String) throws(StoreError) {
        let view = try StoreView(path: path)
        try view.checkJournal()
        description = view.description
        manifest = try view.manifests().first ?? .none
        tableRecordEstimate = view.tableRecordEstimate
        segments = view.segments

        var chain = JournalChain(after: manifest)
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
