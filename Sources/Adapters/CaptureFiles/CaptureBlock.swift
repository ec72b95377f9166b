package import CaptureFormat
internal import DataStructures
internal import StoreFormat

/// The records of a chunk, with the memory they lie in.
package final class CaptureBlock: @unchecked Sendable {
    // Unchecked: whoever reads ahead fills it, and changes nothing after it was handed over.
    package let chunk: CaptureChunk
    /// Where it stands.
    package let path: String
    package let offset: Int
    private var bytes = StoreWriter(capacity: 64)

    init(_ chunk: CaptureChunk, path: String, offset: Int) {
        self.chunk = chunk
        self.path = path
        self.offset = offset
    }

    /// Whether the stored bytes gave what the chunk says.
    func fill(from stored: ByteView, _ decompressor: Decompressor) -> Bool {
        switch chunk.compression {
        case .none:
            bytes.clear()
            bytes.put(raw: stored)
            return stored.count == chunk.byteCount
        case .zstd:
            return decompressor.decompress(stored, to: chunk.byteCount, into: &bytes)
        }
    }

    /// Reads the records, which are valid as long as the block is.
    package func reader() -> CaptureRecordReader {
        CaptureRecordReader(bytes.bytes, firstTime: chunk.firstTime)
    }

    /// Calls `body` for each record, and checks that they are what the chunk says.
    ///
    /// - Returns: false if `body` has said so, which ends it.
    package func each(_ body: (CaptureRecord) throws -> Bool) throws -> Bool {
        var reader = reader()
        var count = 0
        var time = chunk.firstTime
        while let record = try next(&reader) {
            if !(try body(record)) { return false }
            count += 1
            time = record.time
        }
        if count != chunk.recordCount || time != chunk.lastTime {
            throw corrupt("there are \(count) records in place of \(chunk.recordCount)")
        }
        return true
    }

    private func next(
        _ reader: inout CaptureRecordReader
    ) throws(CaptureError) -> CaptureRecord? {
        do throws(CaptureError) {
            return try reader.next()
        } catch {
            throw corrupt(error.message)
        }
    }

    private func corrupt(_ what: String) -> CaptureError {
        CaptureError(.corrupt, "\(path): in the chunk at byte \(offset): \(what)")
    }
}
