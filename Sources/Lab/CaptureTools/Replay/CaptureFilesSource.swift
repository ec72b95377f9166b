package import Basics
internal import CaptureFiles
package import CaptureFormat

/// Reads the records of a capture's files, for a replay.
package final class CaptureFilesSource: ReplaySource {
    private let paths: [String]
    private var files: CaptureReader
    private var block: CaptureBlock?
    private var reader: CaptureRecordReader?
    /// Chunks that end before this time are skipped.
    private var beginning = RecordedTime.zero

    /// The header of the capture's first file.
    package var header: CaptureHeader { files.header }

    /// - Throws: `CaptureError` if the files are no capture.
    package init(paths: [String]) throws(CaptureError) {
        self.paths = paths
        files = try CaptureReader(paths: paths)
    }

    /// Returns the next record of the files; nil after the last.
    package func next() throws(CaptureError) -> CaptureRecord? {
        while true {
            if let record = try reader?.next() { return record }
            guard let next = try files.nextChunk() else { return nil }
            block = next
            reader = next.chunk.lastTime < beginning ? nil : next.reader()
        }
    }

    /// Opens the files again, and skips chunks that end before the time.
    package func rewind(to time: RecordedTime) throws(CaptureError) {
        reader = nil
        block = nil
        files = try CaptureReader(paths: paths)
        beginning = time
    }
}
