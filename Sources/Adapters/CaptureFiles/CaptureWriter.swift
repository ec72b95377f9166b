package import CaptureFormat
internal import DataStructures
internal import Platform
internal import StoreFormat

/// Writes one recording, on a thread of its own.
///
///     submit ─► queue, bounded ─► redact ─► chunk ─► zstd ─► file, file, …        the thread
///     copies    both sides swap             1 MiB           synced once a second
///               two buffers                 or 1 s
///
/// Whoever submits never waits for the disk. When the disk fails, records are refused until a new
/// file could be begun, which is tried every few seconds; the file that was being written ends with
/// its last whole chunk.
package final class CaptureWriter: @unchecked Sendable {
    // Unchecked: what stands under "Shared" is used under the monitor, `recording` and `taken` by
    // the thread.
    private let monitor = Monitor()
    private let options: CaptureWriterOptions

    // MARK: Shared

    /// Batches: the time of the first record, and the records behind their length.
    private var queued = StoreWriter(capacity: 1 << 16)
    /// Bytes that the thread is working on.
    private var takenByteCount = 0
    /// When the first of the queue was put there.
    private var queuedSince: Int64 = 0
    /// The thread waits for anything at all.
    private var isIdle = false
    private var isClosing = false
    private var facts = CaptureWriterStatistics()
    private var thread: JoinableThread?

    // MARK: The thread's

    private var taken = StoreWriter(capacity: 1 << 16)
    private let recording: RecordingFiles

    /// Begins a recording and its first file.
    ///
    /// - Parameters:
    ///   - path: of the first file. If there is one of that name, the next number that is free is
    ///     taken; `statistics.path` says which.
    ///   - options: limits and the like.
    ///   - recording: what tells its files from those of others.
    ///   - startedAt: in µs since 1970.
    /// - Throws: why the file cannot be made.
    package init(
        path: String,
        _ options: CaptureWriterOptions,
        recording: UInt64,
        startedAt: Int64
    ) throws(CaptureError) {
        self.options = options
        self.recording = try RecordingFiles(
            path: path,
            options,
            recording: recording,
            startedAt: startedAt
        )
        facts = self.recording.facts
        thread = JoinableThread { self.run() }
    }

    // MARK: What others do

    /// Hands over records, which are copied.
    ///
    /// - Returns: false if too much waits, or if writing fails. Then nothing was taken but what
    ///   tells of sessions and app files, without which what comes later would mean nothing: the
    ///   caller counts the records, and puts a `lost` record in front of what he submits next.
    package func submit(_ records: borrowing CaptureRecords) -> Bool {
        if records.isEmpty { return true }
        let byteCount = records.byteCount
        let (bytes, firstTime) = (records.bytes, records.firstTime)
        let isTaken = monitor.locked {
            let waitingCount = queued.count + takenByteCount
            if facts.failure != nil || waitingCount + byteCount > options.queueByteLimit {
                return false
            }
            put(bytes, firstTime: firstTime)
            return true
        }
        if !isTaken { submitSessions(of: bytes, firstTime: firstTime) }
        return isTaken
    }

    /// Closes the last chunk, syncs the file and ends the thread; to be called once.
    ///
    /// - Throws: why the end of the recording could not be written.
    package func close() throws(CaptureError) {
        let thread = monitor.locked {
            isClosing = true
            monitor.wake()
            defer { self.thread = nil }
            return self.thread
        }
        thread?.join()
        if let failure = statistics.failure { throw failure }
    }

    package var statistics: CaptureWriterStatistics {
        monitor.locked {
            var facts = facts
            facts.waitingBytes = queued.count + takenByteCount
            return facts
        }
    }

    /// Under the monitor.
    private func put(_ records: ByteView, firstTime: UInt64) {
        if queued.isEmpty { queuedSince = monotonicMilliseconds() }
        let wasSmall = queued.count < Self.hurryByteCount
        queued.put(firstTime)
        queued.put(counted: records)
        // The thread is woken for the first records and for many; in between it wakes by itself.
        if isIdle || (wasSmall && queued.count >= Self.hurryByteCount) { monitor.wake() }
        isIdle = false
    }

    /// So many bytes are taken at once.
    private static var hurryByteCount: Int { 256 << 10 }
    /// Buffers that have grown beyond this are given back when they were emptied.
    private static var keptByteCount: Int { 4 << 20 }

    /// Sessions are few, and may fill the queue's limit once more.
    private func submitSessions(of bytes: ByteView, firstTime: UInt64) {
        var kept = CaptureRecords()
        var reader = CaptureRecordReader(bytes, firstTime: firstTime)
        while let record = try? reader.next() {
            switch record.kind {
            case .hello, .ended, .apps: kept.put(record)
            case .push, .widgets, .timeline, .state, .request, .lost: break
            }
        }
        if kept.isEmpty { return }
        let (keptBytes, keptTime) = (kept.bytes, kept.firstTime)
        monitor.locked {
            let waitingCount = queued.count + takenByteCount
            if waitingCount + keptBytes.count > 2 * options.queueByteLimit { return }
            put(keptBytes, firstTime: keptTime)
        }
    }

    // MARK: What the thread does

    private func run() {
        while take() {
            work()
            let facts = recording.facts
            monitor.locked {
                self.facts = facts
                takenByteCount = 0
            }
            taken.clear()
            if taken.capacity > Self.keptByteCount { taken = StoreWriter(capacity: 1 << 16) }
        }
        recording.finish()
        let facts = recording.facts
        monitor.locked { self.facts = facts }
    }

    /// Takes the queue, when there is enough of it or it is time.
    ///
    /// - Returns: false if it is being closed and nothing is left.
    private func take() -> Bool {
        let deadline = recording.deadline
        return monitor.locked {
            while !isClosing && !isDue(deadline) { sleep(until: deadline) }
            swap(&queued, &taken)
            takenByteCount = taken.count
            return !isClosing || !taken.isEmpty
        }
    }

    /// Under the monitor.
    private func isDue(_ deadline: Int64?) -> Bool {
        if queued.count >= Self.hurryByteCount { return true }
        if queued.isEmpty && deadline == nil { return false }
        let now = monotonicMilliseconds()
        if let deadline, now >= deadline { return true }
        return !queued.isEmpty && now >= queuedSince + Int64(options.gatherMilliseconds)
    }

    /// Under the monitor.
    private func sleep(until deadline: Int64?) {
        if queued.isEmpty {
            isIdle = true
            if let deadline { monitor.wait(until: deadline) } else { monitor.wait() }
            isIdle = false
        } else {
            let gathered = queuedSince + Int64(options.gatherMilliseconds)
            monitor.wait(until: min(deadline ?? .max, gathered))
        }
    }

    private func work() {
        var batches = StoreReader(taken.bytes)
        do {
            while !batches.isAtEnd {
                let firstTime = try batches.read(UInt64.self)
                var records = CaptureRecordReader(
                    try batches.readCounted(),
                    firstTime: firstTime
                )
                while let record = try records.next() { recording.put(record) }
            }
        } catch {
            preconditionFailure("the queue is not what was put there: \(error)")
        }
        recording.tend()
    }
}
