internal import Basics
internal import CaptureFormat
internal import Glibc
internal import Platform
internal import StoreFormat

/// A capture file that is being written: a header, and chunks after it.
///
/// Used by one thread at a time. If it is released without `close`, the file is closed as it is.
final class CaptureOutput {
    let path: String
    let header: CaptureHeader
    /// The size of the file, in bytes.
    private(set) var byteCount = 0
    /// False while bytes were written that `sync` has not brought to the disk.
    private(set) var isSynced = true

    private let descriptor: CInt
    private var isOpen = true
    private var checksum: UInt64 = 0
    private let compressor: Compressor
    private var compressed = StoreWriter()
    private var buffer = StoreWriter()

    /// Creates the file and writes its header. Throws `exists`, or why the file could not be
    /// created; it does not exist then.
    init(path: String, header: CaptureHeader, compressor: Compressor) throws(CaptureError) {
        self.path = path
        self.header = header
        self.compressor = compressor
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        // Readable by its owner only: a capture contains what users do.
        descriptor = unsafe open(path, flags, 0o600)
        if descriptor < 0 {
            isOpen = false
            throw fileFailure("cannot make", path: path)
        }
        checksum = header.write(to: &buffer)
        do throws(CaptureError) {
            try flush()
            syncFolder()
        } catch {
            remove()
            throw error
        }
    }

    deinit {
        if isOpen { _ = Glibc.close(descriptor) }
    }

    /// Compresses records and appends them as a chunk. Returns the size of the chunk in the file,
    /// in bytes. Throws why writing has failed; the file is then cut to its last complete chunk, if
    /// possible.
    func put(_ records: borrowing CaptureRecords) throws(CaptureError) -> Int {
        let isSmaller = compressor.compress(records.bytes, into: &compressed)
        let stored = isSmaller ? compressed.bytes : records.bytes
        let chunk = CaptureChunk(
            isSmaller ? .zstd : .none,
            storedByteCount: stored.count,
            byteCount: records.byteCount,
            recordCount: records.count,
            firstTime: records.firstTime,
            lastTime: records.lastTime
        )
        chunk.write(stored, file: checksum, to: &buffer)
        let count = buffer.count
        try flush()
        return count
    }

    /// Waits until everything written is on the disk.
    func sync() throws(CaptureError) {
        assert(isOpen, "the file is closed")
        if isSynced { return }
        if fdatasync(descriptor) != 0 { throw fileFailure("cannot sync", path: path) }
        isSynced = true
    }

    /// Syncs and closes the file, which must not be used after that.
    func close() throws(CaptureError) {
        try sync()
        isOpen = false
        if Glibc.close(descriptor) != 0 { throw fileFailure("cannot close", path: path) }
    }

    /// Removes the file, and closes it unless `close` has.
    func remove() {
        // The system may have given the number of a closed descriptor to another file.
        if isOpen { _ = Glibc.close(descriptor) }
        isOpen = false
        unsafe unlink(path)
    }

    /// Writes the buffer to the file.
    private func flush() throws(CaptureError) {
        assert(isOpen, "the file is closed")
        defer { buffer.clear() }
        isSynced = false
        if !writeAll(buffer.bytes, to: descriptor) {
            let failure = fileFailure("cannot write", path: path)
            // If this fails too, no harm is done: a reader ignores an incomplete chunk at the end.
            _ = ftruncate(descriptor, byteCount)
            throw failure
        }
        byteCount += buffer.count
    }

    /// Makes the file's name survive a loss of power; on a file system whose folders cannot be
    /// synced, the name may be lost.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = unsafe open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        _ = Glibc.close(descriptor)
    }
}
