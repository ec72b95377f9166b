internal import CaptureFormat
internal import DataStructures
internal import Glibc
internal import Platform
internal import StoreFormat

/// The files of a recording: chunks, rotation, and what happens when the disk fails.
///
/// Used by the writer's thread alone.
final class RecordingFiles {
    private let options: CaptureWriterOptions
    private let name: CaptureFileName
    private let compressor: Compressor
    private let redaction: CaptureRedaction?
    /// Of the next file: number in the recording, and in its name.
    private var header: CaptureHeader
    private var nameNumber = 0
    /// Paths of the files that are kept, oldest first.
    private var paths: [String] = []

    /// Nil while writing fails.
    private var output: CaptureOutput?
    /// Records of the file, without those that it repeats so that it can be read alone.
    private var ownCount = 0
    private var chunk = CaptureRecords()
    /// Inputs that would be missing without it.
    private var chunkLoss = 0
    private var sessions = CaptureSessions()
    private var lastTime: UInt64 = 0
    /// When what is not written, or not synced, must be; when it is tried again.
    private var chunkDeadline: Int64?
    private var syncDeadline: Int64?
    private var retryDeadline: Int64?
    /// Records that no `lost` record tells of yet.
    private var untoldCount = 0

    private(set) var facts = CaptureWriterStatistics()

    init(
        path: String,
        _ options: CaptureWriterOptions,
        recording: UInt64,
        startedAt: Int64
    ) throws(CaptureError) {
        self.options = options
        name = CaptureFileName(path: path)
        compressor = Compressor(level: options.level)
        if options.isRedacted {
            var random = SystemRandomNumberGenerator()
            redaction = CaptureRedaction(key: (random.next(), random.next()))
        } else {
            redaction = nil
        }
        header = CaptureHeader(
            recording: recording,
            startedAt: startedAt,
            isRedacted: options.isRedacted
        )
        try begin(at: 0)
    }

    /// When `tend` has something to do, in milliseconds of the monotonic clock.
    var deadline: Int64? {
        let deadlines = [chunkDeadline, syncDeadline, retryDeadline]
        return deadlines.compactMap { $0 }.min()
    }

    /// Appends a record.
    func put(_ record: CaptureRecord) {
        guard let redaction else { return putAsItIs(record) }
        redaction.withRedacted(record) { putAsItIs($0) }
    }

    private func putAsItIs(_ record: CaptureRecord) {
        lastTime = max(lastTime, record.time)
        // Before the record is noted: a file begins with the sessions before its first record.
        if output != nil && isFull(at: record.time) {
            attempt { () throws(CaptureError) in try rotate() }
        }
        sessions.take(record)
        if output != nil {
            ownCount += 1
            return attempt { () throws(CaptureError) in try append(record) }
        }
        if isLossy(record.kind) {
            untoldCount += 1
            facts.lost += 1
        }
    }

    private func append(_ record: CaptureRecord) throws(CaptureError) {
        if chunk.isEmpty && chunkDeadline == nil {
            chunkDeadline = monotonicMilliseconds() + Int64(options.chunkMilliseconds)
        }
        chunk.put(record)
        if isLossy(record.kind) { chunkLoss += 1 }
        if chunk.byteCount >= CaptureChunk.usualByteCount { try writeChunk() }
    }

    /// Does what is due.
    func tend() {
        let now = monotonicMilliseconds()
        if let chunkDeadline, now >= chunkDeadline {
            attempt { () throws(CaptureError) in try writeChunk() }
        }
        if let syncDeadline, now >= syncDeadline {
            attempt { () throws(CaptureError) in try sync() }
        }
        if let retryDeadline, now >= retryDeadline { retry() }
    }

    /// Writes what is left and closes the file.
    func finish() {
        if output == nil { retry() }
        attempt { () throws(CaptureError) in
            try writeChunk()
            try output?.close()
            output = nil
        }
    }

    // MARK: Files

    private func isFull(at time: UInt64) -> Bool {
        guard let output, ownCount > 0 else { return false }
        if output.byteCount >= options.fileByteLimit { return true }
        let age = time - min(time, output.header.firstTime)
        return age / 1_000_000 >= UInt64(options.fileSecondLimit)
    }

    private func rotate() throws(CaptureError) {
        try writeChunk()
        try output?.close()
        output = nil
        try begin(at: lastTime)
        try restate()
    }

    /// What a later file begins with.
    private func restate() throws(CaptureError) {
        try sessions.restate(at: lastTime) { (record) throws(CaptureError) in try append(record) }
    }

    private func begin(at time: UInt64) throws(CaptureError) {
        header.firstTime = time
        output = try make()
        header.number += 1
        ownCount = 0
        facts.files += 1
        facts.path = output!.path
        paths.append(facts.path)
        if let limit = options.keepsFiles {
            while paths.count > max(1, limit) { unsafe unlink(paths.removeFirst()) }
        }
    }

    /// Makes the file with the next name that is free.
    private func make() throws(CaptureError) -> CaptureOutput {
        while true {
            nameNumber += 1
            do throws(CaptureError) {
                return try CaptureOutput(
                    path: name.path(nameNumber),
                    header: header,
                    compressor: compressor
                )
            } catch {
                if error.code != .exists {
                    nameNumber -= 1
                    throw error
                }
            }
        }
    }

    // MARK: Chunks

    private func writeChunk() throws(CaptureError) {
        chunkDeadline = nil
        guard let output, !chunk.isEmpty else { return }
        let count = try output.put(chunk)
        facts.chunks += 1
        facts.records += chunk.count
        facts.rawBytes += chunk.byteCount
        facts.storedBytes += count
        facts.threadNanoseconds = threadNanoseconds()
        clearChunk()
        if syncDeadline == nil {
            syncDeadline = monotonicMilliseconds() + Int64(options.chunkMilliseconds)
        }
    }

    private func clearChunk() {
        chunk.clear()
        chunkLoss = 0
    }

    /// Whether something is missing when a record of that kind is lost: sessions are told again.
    private func isLossy(_ kind: CaptureKind) -> Bool { kind.isInput && kind != .hello }

    private func sync() throws(CaptureError) {
        syncDeadline = nil
        try output?.sync()
    }

    // MARK: Failures

    private func attempt(_ body: () throws(CaptureError) -> Void) {
        do throws(CaptureError) {
            try body()
        } catch {
            fail(error)
        }
    }

    /// What the chunk has is lost, and so is what comes until a new file could be begun.
    private func fail(_ error: CaptureError) {
        facts.failure = error
        facts.failures += 1
        untoldCount += chunkLoss
        facts.lost += chunkLoss
        clearChunk()
        output = nil
        (chunkDeadline, syncDeadline) = (nil, nil)
        retryDeadline = monotonicMilliseconds() + Int64(options.retryMilliseconds)
    }

    /// Begins a new file; it works if its first chunk can be written and synced.
    private func retry() {
        retryDeadline = nil
        do throws(CaptureError) {
            try begin(at: lastTime)
            try restate()
            try putLost()
            try writeChunk()
            try sync()
            untoldCount = 0
            facts.failure = nil
        } catch {
            // A file that has its header and nothing else would only be in the way.
            if let output, paths.last == output.path {
                output.remove()
                paths.removeLast()
                facts.files -= 1
                header.number -= 1
            }
            clearChunk()
            output = nil
            fail(error)
        }
    }

    private func putLost() throws(CaptureError) {
        if untoldCount == 0 { return }
        let body = CaptureRecord.lostBody(untoldCount)
        try body.withByteView { (view) throws(CaptureError) in
            try append(CaptureRecord(time: lastTime, connection: 0, .lost, body: view))
        }
    }
}
