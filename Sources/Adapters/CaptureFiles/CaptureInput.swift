internal import Basics
internal import CaptureFormat
internal import Glibc
internal import Platform
internal import StoreFormat

/// A capture file that is being read, chunk by chunk.
final class CaptureInput {
    let path: String
    let header: CaptureHeader
    private let checksum: UInt64
    private let descriptor: CInt
    /// The size when the file was opened, in bytes; a file that grows is read only up to there.
    let byteCount: Int
    /// Where the next chunk begins.
    private var offset = CaptureHeader.byteCount
    private var stored = StoreWriter()
    /// The number of bytes at the end that are no complete chunk; known after the last chunk was
    /// read.
    private(set) var cutOffByteCount = 0

    init(path: String) throws(CaptureError) {
        self.path = path
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { throw fileFailure("cannot open", path: path) }
        do throws(CaptureError) {
            var status = stat()
            if unsafe fstat(file, &status) != 0 { throw fileFailure("cannot read", path: path) }
            byteCount = status.st_size
            let count = min(byteCount, CaptureHeader.byteCount)
            try Self.read(count, at: 0, of: file, path: path, into: &stored)
            do throws(CaptureError) {
                (header, checksum) = try CaptureHeader.read(stored.bytes)
            } catch {
                throw error.naming(path)
            }
        } catch {
            _ = Glibc.close(file)
            throw error
        }
        descriptor = file
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Reads the next chunk, of at most `byteLimit` bytes of records; nil after the last one.
    /// Throws `corrupt` if it is longer, or is damaged although other chunks follow.
    func next(_ decompressor: Decompressor, byteLimit: Int) throws(CaptureError) -> CaptureBlock? {
        assert(offset <= byteCount, "more was read than the file has")
        if offset == byteCount { return nil }
        guard let chunk = try chunk(at: offset) else {
            if try hasChunk(after: offset) {
                throw corrupt("a chunk is damaged, and others follow it")
            }
            cutOffByteCount = byteCount - offset
            offset = byteCount
            return nil
        }
        assert(
            stored.count == CaptureChunk.headerByteCount + chunk.storedByteCount,
            "the bytes are not those of the chunk"
        )
        let block = CaptureBlock(chunk, path: path, offset: offset)
        if chunk.byteCount > byteLimit {
            throw corrupt("a chunk has \(chunk.byteCount) bytes, at most \(byteLimit) are read")
        }
        let bytes = stored.bytes.slice(CaptureChunk.headerByteCount, to: stored.count)
        if !block.fill(from: bytes, using: decompressor, isFormer: header.isFormer) {
            throw corrupt("a chunk does not decompress to the size that it declares")
        }
        offset += stored.count
        return block
    }

    private func corrupt(_ what: String) -> CaptureError {
        CaptureError(.corrupt, message: "\(path): \(what), at byte \(offset)")
    }

    /// Reads the chunk at an offset into `stored`; nil if there is none that is complete and
    /// intact.
    private func chunk(at offset: Int) throws(CaptureError) -> CaptureChunk? {
        let headerByteCount = CaptureChunk.headerByteCount
        if byteCount - offset < headerByteCount { return nil }
        try Self.read(headerByteCount, at: offset, of: descriptor, path: path, into: &stored)
        guard let chunk = try? CaptureChunk(header: stored.bytes) else { return nil }
        let count = headerByteCount + chunk.storedByteCount
        if byteCount - offset < count { return nil }
        try Self.read(count, at: offset, of: descriptor, path: path, into: &stored)
        return CaptureChunk.isIntact(stored.bytes, file: checksum) ? chunk : nil
    }

    // MARK: After damage

    /// The number of bytes that are searched at a time.
    private static var searchByteCount: Int { 1 << 20 }
    /// The most places that are examined because they look like the beginning of a chunk. Beyond it
    /// the search ends, and the file counts as damaged.
    private static var candidateLimit: Int { 1_000 }

    /// True if a complete chunk begins anywhere after an offset: then the file is damaged, and not
    /// just cut off.
    private func hasChunk(after position: Int) throws(CaptureError) -> Bool {
        var window = StoreWriter(capacity: Self.searchByteCount)
        var start = position + 1
        var candidateCount = 0
        while byteCount - start >= CaptureChunk.headerByteCount {
            let count = min(Self.searchByteCount, byteCount - start)
            try Self.read(count, at: start, of: descriptor, path: path, into: &window)
            let bytes = window.bytes
            for index in 0..<(count - 15) where CaptureChunk.mayBegin(bytes, at: index) {
                candidateCount += 1
                if candidateCount > Self.candidateLimit { return true }
                if try chunk(at: start + index) != nil { return true }
            }
            start += count - 15
        }
        return false
    }

    private static func read(
        _ count: Int,
        at offset: Int,
        of descriptor: CInt,
        path: String,
        into buffer: inout StoreWriter
    ) throws(CaptureError) {
        assert(count >= 0 && offset >= 0, "\(count) bytes from \(offset) on")
        buffer.clear()
        let memory = unsafe buffer.extend(count)
        let found = unsafe readAll(descriptor, into: memory, byteCount: count, at: offset)
        if found < 0 { throw fileFailure("cannot read", path: path) }
        if found < count {
            throw CaptureError(.io, message: "\(path) has become shorter while it was read")
        }
    }
}
