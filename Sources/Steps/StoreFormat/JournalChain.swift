package import DataStructures

/// Follows the journal from record to record: none may be missing, and each names the one before.
package struct JournalChain {
    /// The next record must have this position, and name this checksum as that of the one before.
    package private(set) var next: UInt64
    package private(set) var parent: UInt64?
    /// Whether any record was read.
    private var hasBegun = false

    /// - Parameters:
    ///   - position: where the next record stands.
    ///   - parent: the checksum of the one before, or nil if that is not known.
    package init(next position: UInt64, parent: UInt64?) {
        next = position
        self.parent = parent
    }

    /// Behind the position of a checkpoint.
    package init(behind manifest: StoreManifest) {
        self.init(next: manifest.position + 1, parent: manifest.checksum)
    }

    /// Reads records that were appended together; those before `next` are passed over.
    ///
    /// - Parameters:
    ///   - group: one record after the other.
    ///   - body: is given each record that follows.
    /// - Throws: `corrupt`, `gap` or `newer`, with the position; the chain then stands behind the
    ///   last record that is whole.
    package mutating func follow(
        _ group: ByteView,
        _ body: (JournalRecord) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        var reader = StoreReader(group)
        while !reader.isAtEnd {
            let record = try readRecord(&reader)
            let isFirst = !hasBegun
            hasBegun = true
            if record.position < next { continue }
            if record.position > next { throw gap(before: record.position, isFirst) }
            if let parent, record.parent != parent {
                throw StoreError(
                    .corrupt,
                    "journal record \(next) does not follow the record before it"
                )
            }
            next += 1
            parent = record.checksum
            try body(record)
        }
    }

    private func gap(before position: UInt64, _ isFirst: Bool) -> StoreError {
        let sentence =
            isFirst
            ? "the journal begins with record \(position); record \(next) was expected"
            : "journal record \(next) is missing: \(position) follows the one before"
        return StoreError(.gap, sentence)
    }

    /// Goes behind records that do not follow, as far as they can be read.
    package mutating func skip(_ group: ByteView) {
        var reader = StoreReader(group)
        while !reader.isAtEnd, let record = try? JournalRecord.read(&reader) {
            if record.position >= next { next = record.position + 1 }
        }
        parent = nil
        hasBegun = true
    }

    /// Names the position that a record should have, if its own is another or cannot be read.
    private func readRecord(_ reader: inout StoreReader) throws(StoreError) -> JournalRecord {
        do {
            return try JournalRecord.read(&reader)
        } catch {
            if error.message.hasPrefix("journal record \(next) ") { throw error }
            throw StoreError(error.code, "\(error.message), where record \(next) was expected")
        }
    }
}
