internal import Basics
internal import CaptureFormat
internal import Glibc
internal import Platform
internal import StoreFormat

/// The files of a recording: chunks, rotation, and recovery when the disk fails.
///
/// Used by the writer's thread only.
final class RecordingFiles {
    private let options: CaptureWriterOptions
    private let name: CaptureFileName
    private let compressor: Compressor
    /// Replaces values by hashes; nil if the recording is not redacted.
    private let redaction: CaptureRedaction?
    /// The header of the next file; its `number` counts the recording's files.
    private var header: CaptureHeader
    /// The number in the name of the newest file; it differs from the header's if names were taken.
    private var nameNumber = 0
    /// The paths of the files that are kept, oldest first.
    private var paths: [String] = []

    /// The file being written; nil while writing fails.
    private var output: CaptureOutput?
    /// The number of records of the present file, without those that only restate what is in force.
    private var ownCount = 0
    /// The chunk that is being gathered.
    private var chunk = CaptureRecords()
    /// The number of inputs in the chunk that would be missing if it were lost.
    private var chunkLoss = 0
    private var sessions = CaptureSessions()
    /// The time of the latest record.
    private var lastTime = RecordedTime.zero
    /// When the chunk must be written; nil if it is empty.
    private var chunkDeadline: MonotonicTime?
    /// When the file must be synced; nil if all of it is on the disk.
    private var syncDeadline: MonotonicTime?
    /// When writing is tried again; nil while it works.
    private var retryDeadline: MonotonicTime?
    /// The number of lost records that no `lost` record in a file counts yet.
    private var unreportedCount = 0

    /// What the recording has written so far.
    private(set) var statistics = CaptureWriterStatistics()

    init(
        path: String,
        options: CaptureWriterOptions,
        recording: UInt64,
        startedAt: RecordedDate
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
        try begin(at: .zero)
    }

    /// When `performDueWork` next has something to do; nil for nothing.
    var deadline: MonotonicTime? {
        let deadlines = [chunkDeadline, syncDeadline, retryDeadline]
        return deadlines.compactMap { $0 }.min()
    }

    /// Appends a record, redacted if the options say so.
    func put(_ record: CaptureRecord) {
        guard let redaction else { return putAsItIs(record) }
        redaction.withRedacted(record) { putAsItIs($0) }
    }

    private func putAsItIs(_ record: CaptureRecord) {
        lastTime = max(lastTime, record.time)
        // A new file restates the sessions as they are before its first record, so it is begun
        // before `sessions` takes the record.
        if output != nil && isFull(at: record.time) {
            attempt { () throws(CaptureError) in try rotate() }
        }
        sessions.take(record)
        if output != nil {
            ownCount += 1
            return attempt { () throws(CaptureError) in try append(record) }
        }
        if isLossy(record.kind) {
            unreportedCount += 1
            statistics.lost += 1
        }
    }

    private func append(_ record: CaptureRecord) throws(CaptureError) {
        if chunk.isEmpty && chunkDeadline == nil {
            chunkDeadline = MonotonicTime.now + options.chunkInterval
        }
        assert(output != nil, "a record has no file to go to")
        chunk.put(record)
        if isLossy(record.kind) { chunkLoss += 1 }
        if chunk.byteCount >= CaptureChunk.usualByteCount { try writeChunk() }
    }

    /// Does what is due: writes the chunk, syncs, or tries again.
    func performDueWork() {
        assert((output == nil) == (retryDeadline != nil), "a retry is due while writing works")
        let now = MonotonicTime.now
        if let chunkDeadline, now >= chunkDeadline {
            attempt { () throws(CaptureError) in try writeChunk() }
        }
        if let syncDeadline, now >= syncDeadline {
            attempt { () throws(CaptureError) in try sync() }
        }
        if let retryDeadline, now >= retryDeadline { retry() }
    }

    /// Writes the remaining records and closes the file.
    func finish() {
        if output == nil { retry() }
        attempt { () throws(CaptureError) in
            try writeChunk()
            try output?.close()
            output = nil
        }
    }

    // MARK: Files

    /// True if the next record must go to a new file, because of the present file's size or age.
    private func isFull(at time: RecordedTime) -> Bool {
        guard let output, ownCount > 0 else { return false }
        if output.byteCount >= options.fileByteLimit { return true }
        let age = time - min(time, output.header.firstTime)
        return age >= .seconds(Int64(options.fileSecondLimit))
    }

    /// Ends the present file and starts the next one.
    private func rotate() throws(CaptureError) {
        try writeChunk()
        try output?.close()
        output = nil
        try begin(at: lastTime)
        try restate()
    }

    /// Restates what is in force at the beginning of a later file, so that it can be read alone.
    private func restate() throws(CaptureError) {
        try sessions.restate(at: lastTime) { (record) throws(CaptureError) in try append(record) }
    }

    /// Starts a file, and removes the oldest one if there are too many.
    private func begin(at time: RecordedTime) throws(CaptureError) {
        assert(output == nil, "the file before is still open")
        header.firstTime = time
        output = try make()
        header.number += 1
        ownCount = 0
        statistics.files += 1
        statistics.path = output!.path
        paths.append(statistics.path)
        if let limit = options.keepsFiles {
            while paths.count > max(1, limit) { unsafe unlink(paths.removeFirst()) }
        }
    }

    /// Creates a file with the next free name.
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
        statistics.chunks += 1
        statistics.records += chunk.count
        statistics.rawBytes += chunk.byteCount
        statistics.storedBytes += count
        clearChunk()
        if syncDeadline == nil { syncDeadline = MonotonicTime.now + options.chunkInterval }
    }

    private func clearChunk() {
        chunk.clear()
        chunkLoss = 0
    }

    /// True if losing a record of this kind loses an input. A HELLO does not count, because open
    /// sessions are restated in the next file.
    private func isLossy(_ kind: CaptureKind) -> Bool { kind.isClientFrame && kind != .hello }

    private func sync() throws(CaptureError) {
        syncDeadline = nil
        try output?.sync()
    }

    // MARK: Failures

    /// Runs `body`; an error puts the recording into its failing state.
    private func attempt(_ body: () throws(CaptureError) -> Void) {
        do throws(CaptureError) {
            try body()
        } catch {
            fail(error)
        }
    }

    /// Puts the recording into its failing state: the chunk is lost, and so are further records
    /// until a new file could be started.
    private func fail(_ error: CaptureError) {
        assert(chunkLoss <= chunk.count, "more inputs are lost than the chunk has records")
        statistics.failure = error
        statistics.failures += 1
        unreportedCount += chunkLoss
        statistics.lost += chunkLoss
        clearChunk()
        output = nil
        (chunkDeadline, syncDeadline) = (nil, nil)
        retryDeadline = MonotonicTime.now + options.retryInterval
    }

    /// Starts a new file. Writing works again if its first chunk can be written and synced.
    private func retry() {
        retryDeadline = nil
        do throws(CaptureError) {
            try begin(at: lastTime)
            try restate()
            try putLost()
            try writeChunk()
            try sync()
            unreportedCount = 0
            statistics.failure = nil
        } catch {
            // A file with nothing but its header would be useless.
            if let output, paths.last == output.path {
                output.remove()
                paths.removeLast()
                statistics.files -= 1
                header.number -= 1
            }
            clearChunk()
            output = nil
            fail(error)
        }
    }

    /// Writes a record with the number of lost records.
    private func putLost() throws(CaptureError) {
        if unreportedCount == 0 { return }
        let body = CaptureRecord.lostBody(unreportedCount)
        try body.withByteView { (view) throws(CaptureError) in
            try append(CaptureRecord(time: lastTime, connection: 0, kind: .lost, body: view))
        }
    }
}
