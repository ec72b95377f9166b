package import CaptureFormat

/// Writes records to a capture file and waits for the disk; for tools.
///
/// A file that is never closed is removed.
package struct CaptureFile: ~Copyable {
    private let output: CaptureOutput
    private var records = CaptureRecords()
    private var isClosed = false
    /// The number of records put so far.
    package private(set) var recordCount = 0
    /// The size of the written records before compression, in bytes.
    package private(set) var rawByteCount = 0
    /// The number of chunks written so far.
    package private(set) var chunkCount = 0

    /// Creates the file, which must not exist; `level` is the compression level of zstd, 1 to 19.
    /// Throws `exists`, or why the file cannot be created.
    package init(path: String, header: CaptureHeader, level: Int = 3) throws(CaptureError) {
        let compressor = Compressor(level: level)
        output = try CaptureOutput(path: path, header: header, compressor: compressor)
    }

    deinit {
        if !isClosed { output.remove() }
    }

    /// Appends a record; its bytes are copied.
    package mutating func put(_ record: CaptureRecord) throws(CaptureError) {
        records.put(record)
        recordCount += 1
        if records.byteCount >= CaptureChunk.usualByteCount { try writeChunk() }
    }

    /// Writes the remaining records, syncs and closes the file.
    package consuming func close() throws(CaptureError) {
        try writeChunk()
        try output.close()
        isClosed = true
    }

    private mutating func writeChunk() throws(CaptureError) {
        if records.isEmpty { return }
        rawByteCount += records.byteCount
        chunkCount += 1
        _ = try output.put(records)
        records.clear()
    }
}
