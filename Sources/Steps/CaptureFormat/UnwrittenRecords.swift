internal import DataStructures
internal import StoreFormat

/// Records on their way to a writer, which may have no room for them.
///
/// What tells of sessions the writer takes all the same.
package struct UnwrittenRecords: ~Copyable {
    package private(set) var records = CaptureRecords()
    /// Inputs that the records say are missing: what they begin with, if it is not 0.
    package private(set) var lostCount: UInt64 = 0
    package init() {}

    package var isEmpty: Bool { records.isEmpty }
    package var byteCount: Int { records.byteCount }

    @inline(__always)
    package mutating func put(_ record: CaptureRecord) {
        records.put(record)
    }

    package var mark: CaptureRecords.Mark { records.mark }

    /// Takes back what was put since; nothing must have been handed on meanwhile.
    package mutating func rewind(to mark: CaptureRecords.Mark) {
        records.rewind(to: mark)
    }

    /// The records were handed on.
    package mutating func taken() {
        records.clear()
        lostCount = 0
    }

    /// The records could not be handed on: one that says how many follows in their place.
    ///
    /// - Parameter time: when that is, in µs since the recording began.
    /// - Returns: how many more are missing now.
    package mutating func lose(at time: UInt64) -> UInt64 {
        // The one that tells of earlier ones is not an input.
        let count = UInt64(records.count) - (lostCount == 0 ? 0 : 1)
        lostCount += count
        records.clear()
        if lostCount == 0 { return 0 }
        var body = StoreWriter()
        body.put(varint: lostCount)
        records.put(CaptureRecord(time: time, connection: 0, .lost, body: body.bytes))
        return count
    }
}
