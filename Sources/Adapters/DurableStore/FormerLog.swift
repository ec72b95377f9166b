internal import DataStructures
internal import StoreFormat

/// A file of RocksDB's log in a store of format 1, read without RocksDB.
///
/// RocksDB finds records with a wrong checksum. But it does not report a log that ends within a
/// batch, and it ends the process if batches are out of order, as after an exchange of files. So
/// both are found here, before RocksDB opens the store.
///
///     blocks of 32,768 bytes; fewer than seven at the end of one stay empty
///     record   checksum: 32 │ bytes of the payload: 16 │ type: 8 │ payload
///     type     1 a whole batch, or 2 its first, 3 its next, 4 its last part
///     batch    sequence number of its first change: 64 │ number of changes: 32 │ changes
///
/// Types 5 to 8, whose headers have four more bytes, occur in files that RocksDB reuses. No router
/// of format 1 let RocksDB write such files, so the check of a file ends at the first such record,
/// and the rest is left to RocksDB.
struct FormerLog {
    private static let blockByteCount = 32_768
    private static let headerByteCount = 7
    private static let batchHeaderByteCount = 12

    private let folder: StoreFolder
    let name: String
    private let number: UInt64

    private init?(_ folder: StoreFolder, name: String) {
        guard let number = FormerName.number(name, ending: FormerName.log) else { return nil }
        if folder.byteCount(name) ?? 0 == 0 { return nil }
        self.folder = folder
        self.name = name
        self.number = number
    }

    /// Checks all files of the log in a folder, in the order in which they were written.
    ///
    /// - Returns: the end of the newest file, if that is within a batch.
    /// - Throws: `corrupt`, with the first file that has a batch out of order.
    static func check(_ folder: StoreFolder) throws(StoreError) -> TornEnd? {
        let logs = try folder.names().compactMap { FormerLog(folder, name: $0) }
        var tornEnd: TornEnd?
        var next: UInt64 = 0
        for log in logs.sorted(by: { $0.number < $1.number }) {
            do throws(StoreError) {
                tornEnd = try log.follow(&next)
            } catch {
                // The router of the store may have deleted it meanwhile.
                if error.code != .missing { throw error }
            }
        }
        return tornEnd
    }

    /// Follows the records by the lengths in their headers.
    ///
    /// - Parameter next: the lowest sequence number that the next batch may have.
    /// - Returns: the end of the file, if that is within a batch.
    /// - Throws: `corrupt` if a batch belongs before an earlier one; `io`, or another error of the
    ///   file system.
    private func follow(_ next: inout UInt64) throws(StoreError) -> TornEnd? {
        var (start, batch, isOpen, isTorn, isKnown) = (0, 0, false, false, true)
        try folder.readBlocks(name, of: Self.blockByteCount) { block throws(StoreError) in
            assert(start % Self.blockByteCount == 0, "a block follows one that is not full")
            var offset = 0
            while offset + Self.headerByteCount <= block.count && !isTorn {
                let type = block[offset + 6]
                isKnown = type < 5
                if !isKnown { return false }
                let payload = offset + Self.headerByteCount
                let end = payload + Int(block[offset + 4]) + Int(block[offset + 5]) << 8
                if !isOpen { batch = start + offset }
                isTorn = type == 0 || end > block.count
                if !isTorn && type <= 2 {
                    try checkBatch(block.slice(payload, to: end), next: &next)
                }
                isOpen = type == 2 || type == 3
                offset = end
            }
            if offset < block.count && block.count < Self.blockByteCount && !isTorn {
                if !isOpen { batch = start + offset }
                isTorn = true
            }
            start += block.count
            return !isTorn
        }
        if !isKnown || !isTorn && !isOpen { return nil }
        let count = Int(folder.byteCount(name) ?? 0)
        return TornEnd(name: name, offset: batch, byteCount: max(0, count - batch))
    }

    /// Compares the sequence number of a batch with those before it.
    ///
    /// A batch whose header is divided between two blocks is not compared. Neither is the number 0,
    /// which no batch has: a loss of power may have left zeros there, and RocksDB compares the
    /// checksum.
    private func checkBatch(_ payload: ByteView, next: inout UInt64) throws(StoreError) {
        if payload.count < Self.batchHeaderByteCount { return }
        var reader = StoreReader(payload)
        let sequence = try reader.read(UInt64.self)
        let count = try reader.read(UInt32.self)
        if sequence == 0 { return }
        if sequence < next {
            throw StoreError(
                .corrupt,
                message:
                    "\(folder.path)/\(name) is not in order: change \(sequence) follows change "
                    + "\(next - 1), so files of the log were exchanged, or parts of one"
            )
        }
        next = sequence &+ UInt64(count)
    }
}
