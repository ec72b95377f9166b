package import CaptureFormat

/// Writes records to a capture file at once: for tools, which wait.
///
/// A file that is not closed is removed.
package struct CaptureFile: ~Copyable {
    private let output: RemovedOutput
    private var records = CaptureRecords()
    /// How many records it has, bytes of them, and bytes of the file.
    package private(set) var recordCount = 0
    package private(set) var rawByteCount = 0
    package private(set) var chunkCount = 0
    package var byteCount: Int { output.file.byteCount }

    /// - Parameters:
    ///   - path: of a file that is not there.
    ///   - header: what it begins with.
    ///   - level: of zstd, 1 to 19.
    /// - Throws: `exists`, or why it cannot be made.
    package init(path: String, header: CaptureHeader, level: Int = 3) throws(CaptureError) {
        output = RemovedOutput(
            try CaptureOutput(path: path, header: header, compressor: Compressor(level: level))
        )
    }

    /// Appends a record; its bytes are copied.
    package mutating func put(_ record: CaptureRecord) throws(CaptureError) {
        records.put(record)
        recordCount += 1
        if records.byteCount >= CaptureChunk.usualByteCount { try writeChunk() }
    }

    /// Writes what is left, syncs and closes the file.
    package consuming func close() throws(CaptureError) {
        try writeChunk()
        try output.file.close()
        output.isKept = true
    }

    private mutating func writeChunk() throws(CaptureError) {
        if records.isEmpty { return }
        rawByteCount += records.byteCount
        chunkCount += 1
        _ = try output.file.put(records)
        records.clear()
    }
}

/// A file that is removed unless it is kept.
private final class RemovedOutput {
    let file: CaptureOutput
    var isKept = false

    init(_ file: CaptureOutput) {
        self.file = file
    }

    deinit {
        if !isKept { file.remove() }
    }
}
