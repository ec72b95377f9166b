internal import Basics
internal import CaptureFiles
internal import CaptureFormat

/// A source of records for a replay.
protocol ReplaySource: AnyObject {
    /// The header of the capture.
    var header: CaptureHeader { get }

    /// Returns the next record; nil after the last. It is valid until the next call.
    func next() throws(CaptureError) -> CaptureRecord?

    /// Starts over; records before a time may be skipped.
    ///
    /// - Throws: `CaptureError` if the capture is damaged.
    func rewind(to time: RecordedTime) throws(CaptureError)
}

/// Reads the records of a capture's files, for a replay.
final class CaptureFilesSource: ReplaySource {
    private let paths: [String]
    private var files: CaptureReader
    private var block: CaptureBlock?
    private var reader: CaptureRecordReader?
    /// Chunks that end before this time are skipped.
    private var beginning = RecordedTime.zero

    /// The header of the capture's first file.
    var header: CaptureHeader { files.header }

    /// - Throws: `CaptureError` if the files are no capture.
    init(paths: [String]) throws(CaptureError) {
        self.paths = paths
        files = try CaptureReader(paths: paths)
    }

    /// Returns the next record of the files; nil after the last.
    func next() throws(CaptureError) -> CaptureRecord? {
        while true {
            if let record = try reader?.next() { return record }
            guard let next = try files.nextChunk() else { return nil }
            block = next
            reader = next.chunk.lastTime < beginning ? nil : next.reader()
        }
    }

    /// Opens the files again, and skips chunks that end before the time.
    func rewind(to time: RecordedTime) throws(CaptureError) {
        reader = nil
        block = nil
        files = try CaptureReader(paths: paths)
        beginning = time
    }
}
