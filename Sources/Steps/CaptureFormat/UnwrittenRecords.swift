package import Basics
internal import StoreFormat

/// Records collected for a writer, which may be too busy to accept them.
///
/// A writer that refuses records still keeps those of sessions and app files among them (hello,
/// ended, apps), because later records would mean nothing without these.
package struct UnwrittenRecords: ~Copyable {
    /// The records, which a `lost` record precedes if earlier ones were refused.
    package private(set) var records = CaptureRecords()
    /// The number of missing inputs in the `lost` record that the records begin with; 0 if there is
    /// none.
    package private(set) var lostCount: UInt64 = 0

    /// Makes an empty collection.
    package init() {}

    /// Whether no record is waiting, not even a `lost` record.
    package var isEmpty: Bool { records.isEmpty }
    /// The length of the waiting records, in bytes.
    package var byteCount: Int { records.byteCount }

    /// Adds a record for the writer.
    @inline(__always)
    package mutating func put(_ record: CaptureRecord) { records.put(record) }

    /// The present end of the records, to which `rewind` can return.
    package var mark: CaptureRecords.Mark { records.mark }

    /// Removes the records that were appended since `mark`; none may have been submitted meanwhile.
    package mutating func rewind(to mark: CaptureRecords.Mark) { records.rewind(to: mark) }

    /// Empties the collection after the writer has accepted the records.
    package mutating func taken() {
        records.clear()
        lostCount = 0
    }

    /// Replaces the records by a `lost` record, after the writer has refused them. Returns the
    /// number of inputs lost by this, without those that were lost before.
    package mutating func lose(at time: RecordedTime) -> UInt64 {
        // A `lost` record of an earlier refusal is not an input.
        let count = UInt64(records.count) - (lostCount == 0 ? 0 : 1)
        lostCount += count
        records.clear()
        if lostCount == 0 { return 0 }
        var body = StoreWriter()
        body.put(varint: lostCount)
        records.put(CaptureRecord(time: time, connection: 0, kind: .lost, body: body.bytes))
        return count
    }
}
