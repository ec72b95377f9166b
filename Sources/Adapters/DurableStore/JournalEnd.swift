internal import DataStructures
internal import StoreFormat

/// Where the journal stood when the process that wrote it ended by itself.
///
///     0    checksum of all that follows           64 bits
///     8    position of the last record            64 bits
///     16   its checksum                           64 bits
///
/// Without it nobody could tell a log that has lost its last batches from one that was never longer.
/// It is the record with the key `end` in the column family `default`: written when the journal is
/// on the disk, and deleted before the next append.
struct JournalEnd: Equatable {
    static var key: String { "end" }

    let position: UInt64
    let checksum: UInt64

    init(position: UInt64, checksum: UInt64) {
        self.position = position
        self.checksum = checksum
    }

    func write(to writer: inout StoreWriter) {
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(position)
        writer.put(checksum)
        let sum = StoreFormat.checksum(writer.bytes.slice(start + 8, writer.count))
        writer.patch(sum, at: start)
    }

    /// - Throws: `corrupt`.
    init(_ bytes: ByteView) throws(StoreError) {
        var reader = StoreReader(bytes)
        let sum = try reader.read(UInt64.self)
        if StoreFormat.checksum(bytes.slice(8, bytes.count)) != sum {
            throw StoreError(.corrupt, "the note of the journal's end does not have its checksum")
        }
        position = try reader.read(UInt64.self)
        checksum = try reader.read(UInt64.self)
        try reader.finish()
    }
}

extension RocksDatabase {
    /// Compares the end of the journal with what the last process has noted, if it has.
    ///
    /// The journal may be longer: a reader sees it grow.
    ///
    /// - Returns: whether there is a note.
    /// - Throws: `gap` if the journal ends before, `corrupt` if another record stands there. What
    ///   keeps the end from being read is left to those who read all of it.
    @discardableResult
    func checkEnd() throws(StoreError) -> Bool {
        guard let noted = try readEnd() else { return false }
        guard let found = try? findEnd() else { return true }
        if found.position < noted.position {
            throw StoreError(
                .gap,
                "the router that ended here had written up to record \(noted.position), "
                    + "the journal ends at \(found.position)"
            )
        }
        if found.position == noted.position && found.checksum != noted.checksum {
            throw StoreError(
                .corrupt,
                "journal record \(found.position) is not the one that the router ended with"
            )
        }
        return true
    }

    /// The last position that anything tells of, whole or not.
    var lastKnownPosition: UInt64 {
        let groups = segments.map { (try? lastGroup(of: $0))?.position ?? 0 }
        let ends = [try? readEnd(), try? findEnd()].map { $0?.position ?? 0 }
        return (groups + ends).max() ?? 0
    }

    /// Writes where the journal ends, into a file.
    func noteEnd() throws(StoreError) {
        var writer = StoreWriter(capacity: 24)
        try findEnd().write(to: &writer)
        let value = writer.bytes
        JournalEnd.key.withByteView { put(FamilyName.facts, $0, value) }
        try commit(.unlogged)
        try flush(FamilyName.facts, isWaiting: true)
    }

    func forgetEnd() throws(StoreError) {
        JournalEnd.key.withByteView { delete(FamilyName.facts, $0) }
        try commit(.unlogged)
        try flush(FamilyName.facts, isWaiting: true)
    }

    private func readEnd() throws(StoreError) -> JournalEnd? {
        try readFact(JournalEnd.key) { value throws(StoreError) in try JournalEnd(value) }
    }

    /// The last record of the journal, or the one behind which a checkpoint has let go of it.
    private func findEnd() throws(StoreError) -> JournalEnd {
        var end = JournalEnd(position: 0, checksum: 0)
        if let last = try lastGroup()?.position {
            var chain = JournalChain(next: last, parent: nil)
            try readLog(from: last) { _, group throws(StoreError) in try chain.follow(group) }
            end = JournalEnd(position: chain.next - 1, checksum: chain.parent ?? 0)
        }
        try readTable(type: StoreManifest.type) { key, value throws(StoreError) in
            if !StoreManifest.isKey(key) { return }
            let manifest = try StoreManifest(key, value)
            if manifest.position > end.position {
                end = JournalEnd(position: manifest.position, checksum: manifest.checksum)
            }
        }
        return end
    }
}
