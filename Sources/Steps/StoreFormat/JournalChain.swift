package import Basics

/// Checks that journal records are read in unbroken order: no position is missing, and each record
/// names the checksum of the one before.
package struct JournalChain {
    /// The position of the next record.
    package private(set) var next: UInt64
    /// The checksum that the next record must name as its parent; nil to accept any.
    package private(set) var parent: UInt64?
    /// Whether any record has been read.
    private var hasBegun = false

    /// Begins at the position of the next record; the checksum of the record before is nil if it is
    /// not known.
    package init(next position: UInt64, parent: UInt64?) {
        assert(position > 0, "positions are counted from 1")
        next = position
        self.parent = parent
    }

    /// Continues after the last record that a checkpoint includes.
    package init(after manifest: StoreManifest) {
        self.init(next: manifest.position + 1, parent: manifest.checksum)
    }

    /// Reads records that were appended together; `body` receives each of them but those before
    /// `next`, which are skipped.
    ///
    /// - Throws: `corrupt`, `gap` or `newer`, with the position; `next` is then the position after
    ///   the last intact record. Also what `body` throws.
    package mutating func follow(
        _ group: ByteView,
        body: (JournalRecord) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        var reader = StoreReader(group)
        while !reader.isAtEnd {
            let record = try readRecord(&reader)
            let isFirst = !hasBegun
            hasBegun = true
            if record.position < next { continue }
            if record.position > next { throw gap(before: record.position, isFirst: isFirst) }
            if let parent, record.parent != parent {
                throw StoreError(
                    .corrupt,
                    message: "journal record \(next) does not follow the record before it"
                )
            }
            next += 1
            parent = record.checksum
            try body(record)
        }
    }

    /// The error for records that are missing before one at this position.
    private func gap(before position: UInt64, isFirst: Bool) -> StoreError {
        let sentence =
            isFirst
            ? "the journal begins with record \(position); record \(next) was expected"
            : "journal record \(next) is missing: \(position) follows the one before"
        return StoreError(.gap, message: sentence)
    }

    /// Moves past records that do not continue the chain, as far as they can be read; the next
    /// record may then name any parent.
    package mutating func skip(_ group: ByteView) {
        var reader = StoreReader(group)
        while !reader.isAtEnd, let record = try? JournalRecord.read(&reader) {
            if record.position >= next { next = record.position + 1 }
        }
        parent = nil
        hasBegun = true
    }

    /// Reads a record; an error also names the position that was expected, if the record states
    /// another one.
    private func readRecord(_ reader: inout StoreReader) throws(StoreError) -> JournalRecord {
        do {
            return try JournalRecord.read(&reader)
        } catch {
            if error.message.hasPrefix("journal record \(next) ") { throw error }
            throw StoreError(
                error.code,
                message: "\(error.message), where record \(next) was expected"
            )
        }
    }
}
