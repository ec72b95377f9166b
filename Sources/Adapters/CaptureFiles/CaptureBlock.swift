internal import Basics
package import CaptureFormat
internal import StoreFormat

/// The records of one chunk, decompressed, with the memory that they lie in.
package final class CaptureBlock: @unchecked Sendable {
    // Unchecked: the thread that reads ahead fills the block, and does not change it after it has
    // passed it to the caller.

    /// What the chunk's header says: lengths, times and compression.
    package let chunk: CaptureChunk
    /// The file that contains the chunk.
    package let path: String
    /// The chunk's offset in the file, in bytes.
    package let offset: Int
    private var bytes = StoreWriter(capacity: 64)
    /// Whether `bytes` has the records.
    private var isFilled = false

    init(_ chunk: CaptureChunk, path: String, offset: Int) {
        self.chunk = chunk
        self.path = path
        self.offset = offset
    }

    /// Decompresses the stored bytes, and converts records of an older format. Returns false if the
    /// bytes do not yield what the chunk's header says.
    func fill(from stored: ByteView, using decompressor: Decompressor, isFormer: Bool) -> Bool {
        assert(!isFilled, "the block is filled already")
        if !decompress(stored, using: decompressor) { return false }
        isFilled = true
        if isFormer,
            let records = FormerKinds.converted(bytes.bytes, firstTime: chunk.firstTime)
        {
            bytes.clear()
            records.withByteView { bytes.put(raw: $0) }
        }
        return true
    }

    private func decompress(_ stored: ByteView, using decompressor: Decompressor) -> Bool {
        switch chunk.compression {
        case .none:
            bytes.clear()
            bytes.put(raw: stored)
            return stored.count == chunk.byteCount
        case .zstd: return decompressor.decompress(stored, to: chunk.byteCount, into: &bytes)
        }
    }

    /// Returns a reader of the records; these are valid as long as the block is.
    package func reader() -> CaptureRecordReader {
        assert(isFilled, "the block was not filled")
        return CaptureRecordReader(bytes.bytes, firstTime: chunk.firstTime)
    }

    /// Calls `body` for each record, and checks the records against the chunk's header. Returns
    /// false if `body` has returned false, which ends the iteration.
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

    private func next(_ reader: inout CaptureRecordReader) throws(CaptureError) -> CaptureRecord? {
        do throws(CaptureError) {
            return try reader.next()
        } catch {
            throw corrupt(error.message)
        }
    }

    private func corrupt(_ what: String) -> CaptureError {
        CaptureError(.corrupt, message: "\(path): in the chunk at byte \(offset): \(what)")
    }
}
