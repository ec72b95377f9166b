package import CaptureFormat

/// Where the records of a replay come from.
package protocol ReplaySource: AnyObject {
    var header: CaptureHeader { get }

    /// The next record, or nil behind the last; it is valid until the next call.
    func next() throws(CaptureError) -> CaptureRecord?

    /// Begins anew.
    ///
    /// - Parameter time: records before it, in µs since the recording began, may be left out.
    /// - Throws: what is wrong with the capture.
    func rewind(to time: UInt64) throws(CaptureError)
}

/// Records that are in memory.
package final class MemorySource: ReplaySource {
    package let header: CaptureHeader
    private let records: CaptureRecords
    private var reader: CaptureRecordReader

    package init(_ records: consuming CaptureRecords, header: CaptureHeader) {
        self.header = header
        self.records = records
        reader = CaptureRecordReader(self.records.bytes, firstTime: self.records.firstTime)
    }

    package func next() throws(CaptureError) -> CaptureRecord? { try reader.next() }

    package func rewind(to time: UInt64) {
        reader = CaptureRecordReader(records.bytes, firstTime: records.firstTime)
    }
}
