package import Basics
package import CaptureFormat

/// A source of records for a replay.
package protocol ReplaySource: AnyObject {
    /// The header of the capture.
    var header: CaptureHeader { get }

    /// Returns the next record; nil after the last. It is valid until the next call.
    func next() throws(CaptureError) -> CaptureRecord?

    /// Starts over.
    ///
    /// - Parameter time: records before this time may be skipped.
    /// - Throws: `CaptureError` if the capture is damaged.
    func rewind(to time: RecordedTime) throws(CaptureError)
}

/// A source whose records are in memory.
package final class MemorySource: ReplaySource {
    /// The header of the capture, as given to `init`.
    package let header: CaptureHeader
    private let records: CaptureRecords
    private var reader: CaptureRecordReader

    /// Keeps the records; reading starts with the first.
    package init(_ records: consuming CaptureRecords, header: CaptureHeader) {
        self.header = header
        self.records = records
        reader = CaptureRecordReader(self.records.bytes, firstTime: self.records.firstTime)
    }

    /// Returns the next record; nil after the last.
    package func next() throws(CaptureError) -> CaptureRecord? { try reader.next() }

    /// Starts over with the first record; `time` is ignored.
    package func rewind(to time: RecordedTime) {
        reader = CaptureRecordReader(records.bytes, firstTime: records.firstTime)
    }
}
