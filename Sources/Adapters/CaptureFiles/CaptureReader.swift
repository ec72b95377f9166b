package import CaptureFormat
internal import StoreFormat

/// Reads the files of one recording in the order of time.
///
/// A thread of its own reads, checks and decompresses ahead. A later file of a recording begins by
/// restating what is in force, so that it can be read alone. These records are returned like
/// others; `CaptureSessions.take` returns false for those that repeat what is known.
package final class CaptureReader {
    /// One file of the recording.
    package struct File: Sendable {
        /// The file's path, as it was passed to `init`.
        package let path: String
        /// The file's header.
        package let header: CaptureHeader
        /// The size when the file was opened, in bytes.
        package let byteCount: Int
    }

    /// The header of the first file.
    package let header: CaptureHeader
    /// The files in the order of their numbers.
    package let files: [File]
    private let blocks: BlockReadAhead

    /// Opens the files of a recording, in any order, and reads their headers. Chunks whose records
    /// have more than `byteLimit` bytes are `corrupt`. Throws `missing` if no file is named;
    /// `foreign` if they belong to different recordings, or one occurs twice.
    package init(paths: [String], byteLimit: Int = CaptureChunk.byteLimit) throws(CaptureError) {
        guard !paths.isEmpty else { throw CaptureError(.missing, message: "no file was named") }
        var found: [File] = []
        for path in paths {
            let input = try CaptureInput(path: path)
            found.append(File(path: path, header: input.header, byteCount: input.byteCount))
        }
        found.sort { $0.header.number < $1.header.number }
        for (file, next) in zip(found, found.dropFirst()) { try Self.check(file, before: next) }
        files = found
        header = found[0].header
        blocks = BlockReadAhead(paths: found.map(\.path), byteLimit: byteLimit)
    }

    deinit { blocks.stop() }

    private static func check(_ file: File, before next: File) throws(CaptureError) {
        let (one, other) = (file.header, next.header)
        if one.recording != other.recording || one.startedAt != other.startedAt
            || one.isRedacted != other.isRedacted
        {
            throw CaptureError(
                .foreign,
                message:
                    "\(file.path) and \(next.path) are of different recordings; merge joins them"
            )
        }
        if one.number == other.number {
            throw CaptureError(
                .foreign,
                message: "\(file.path) and \(next.path) are both the recording's file \(one.number)"
            )
        }
    }

    /// Opens files of several recordings, in any order, and groups them by recording, in the order
    /// in which their first files are named. Throws the errors of `init`.
    package static func recordings(of paths: [String]) throws(CaptureError) -> [CaptureReader] {
        var order: [UInt64] = []
        var groups: [UInt64: [String]] = [:]
        for path in paths {
            let recording = try CaptureInput(path: path).header.recording
            if groups[recording] == nil { order.append(recording) }
            groups[recording, default: []].append(path)
        }
        var readers: [CaptureReader] = []
        for recording in order { readers.append(try CaptureReader(paths: groups[recording]!)) }
        return readers
    }

    /// Waits for the next chunk and returns its records; nil at the end.
    package func nextChunk() throws(CaptureError) -> CaptureBlock? { try blocks.take() }

    /// Calls `body` for each record until it returns false; a record's bytes are valid during the
    /// call.
    package func each(_ body: (CaptureRecord) throws -> Bool) throws {
        while let block = try nextChunk() {
            if !(try block.each(body)) { return }
        }
    }

    /// The number of bytes at the ends of the files read so far that are no complete chunk, because
    /// the writer was interrupted.
    package var cutOffByteCount: Int { blocks.cutOffByteCount }

    /// The numbers of files that are missing between the first and the last.
    package var missingNumbers: [ClosedRange<UInt32>] {
        zip(files, files.dropFirst()).compactMap { file, next in
            let (one, other) = (file.header.number, next.header.number)
            return one + 1 < other ? one + 1...other - 1 : nil
        }
    }
}
