package import CaptureFormat
internal import StoreFormat

/// Reads the files of one recording in order of time.
///
/// A thread of its own reads, checks and decompresses ahead. What a file of the recording begins
/// with, so that it can be read alone, comes as it stands there: `CaptureSessions.take` tells which
/// records say nothing new.
package final class CaptureReader {
    /// A file as it was found.
    package struct File: Sendable {
        package let path: String
        package let header: CaptureHeader
        package let byteCount: Int
    }

    /// The first file's.
    package let header: CaptureHeader
    /// In their order.
    package let files: [File]
    private let blocks: BlockReadAhead

    /// Opens the files and reads their headers.
    ///
    /// - Parameters:
    ///   - paths: in any order.
    ///   - byteLimit: the most that a chunk may hold; more is `corrupt`.
    /// - Throws: `missing`, `foreign` if they are not all of one recording, or one stands there
    ///   twice.
    package init(
        paths: [String],
        byteLimit: Int = CaptureChunk.byteLimit
    ) throws(CaptureError) {
        guard !paths.isEmpty else { throw CaptureError(.missing, "no file was named") }
        var found: [File] = []
        for path in paths {
            let input = try CaptureInput(path: path)
            found.append(File(path: path, header: input.header, byteCount: input.byteCount))
        }
        found.sort { $0.header.number < $1.header.number }
        for (file, next) in zip(found, found.dropFirst()) { try Self.check(file, next) }
        files = found
        header = found[0].header
        blocks = BlockReadAhead(paths: found.map(\.path), byteLimit: byteLimit)
    }

    deinit {
        blocks.stop()
    }

    private static func check(_ file: File, _ next: File) throws(CaptureError) {
        let (one, other) = (file.header, next.header)
        if one.recording != other.recording || one.startedAt != other.startedAt
            || one.isRedacted != other.isRedacted
        {
            throw CaptureError(
                .foreign,
                "\(file.path) and \(next.path) are of different recordings; merge joins them"
            )
        }
        if one.number == other.number {
            throw CaptureError(
                .foreign,
                "\(file.path) and \(next.path) are both the recording's file \(one.number)"
            )
        }
    }

    /// Opens files of several recordings, and takes those of the same recording together.
    ///
    /// - Parameter paths: in any order.
    /// - Returns: the recordings in the order of their first files.
    /// - Throws: as `init`.
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

    /// The records of the next chunk, waited for; nil at the end.
    package func nextChunk() throws(CaptureError) -> CaptureBlock? {
        try blocks.take()
    }

    /// Calls `body` for each record until it returns false; views are valid during the call.
    package func each(_ body: (CaptureRecord) throws -> Bool) throws {
        while let block = try nextChunk() {
            if !(try block.each(body)) { return }
        }
    }

    /// Bytes at the ends of files that are no whole chunk, because the writer was cut off; of the
    /// files that were read so far.
    package var cutOff: Int { blocks.cutOff }

    /// Numbers of the recording's files between the first and the last that were not named.
    package var missingNumbers: [ClosedRange<UInt32>] {
        zip(files, files.dropFirst()).compactMap { file, next in
            let (one, other) = (file.header.number, next.header.number)
            return one + 1 < other ? one + 1...other - 1 : nil
        }
    }
}
