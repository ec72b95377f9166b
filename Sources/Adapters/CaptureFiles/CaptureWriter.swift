package import Basics
package import CaptureFormat
internal import Platform
internal import StoreFormat

/// Writes a recording, on a thread of its own.
///
///     submit ─► queue, bounded ─► redact ─► chunk ─► zstd ─► file, file, …        the thread
///     copies    both sides swap             1 MiB           synced once a second
///               two buffers                 or 1 s
///
/// `submit` never waits for the disk. After a failure of the disk, records are refused until a new
/// file could be started, which is tried every few seconds; the file that failed ends with its last
/// complete chunk.
package final class CaptureWriter: @unchecked Sendable {
    // Unchecked: the vars under "Shared" are used under the monitor, those under "The thread's" by
    // the thread only.
    private let monitor = Monitor()
    private let options: CaptureWriterOptions

    // MARK: Shared

    /// Waiting batches: for each the time of its first record, and its records with their length.
    private var queued = StoreWriter(capacity: 1 << 16)
    /// The number of bytes of the batches that the thread is processing.
    private var takenByteCount = 0
    /// When the first waiting batch was added.
    private var queuedSince = MonotonicTime.zero
    /// True while the thread waits without a batch, so that the first one must wake it.
    private var isIdle = false
    private var isClosing = false
    /// What `statistics` reports.
    private var latestStatistics = CaptureWriterStatistics()
    private var thread: JoinableThread?

    // MARK: The thread's

    /// The batches that the thread is processing.
    private var taken = StoreWriter(capacity: 1 << 16)
    private let recording: RecordingFiles

    /// Starts a recording with its first file.
    ///
    /// - Parameters:
    ///   - path: path of the first file. If a file of this name exists, the next free number is
    ///     used; see `statistics.path`.
    ///   - options: limits and intervals.
    ///   - recording: identifies the recording; all its files contain it.
    ///   - startedAt: when the recording began.
    /// - Throws: why the file cannot be created.
    package init(
        path: String,
        options: CaptureWriterOptions,
        recording: UInt64,
        startedAt: RecordedDate
    ) throws(CaptureError) {
        self.options = options
        self.recording = try RecordingFiles(
            path: path,
            options: options,
            recording: recording,
            startedAt: startedAt
        )
        latestStatistics = self.recording.statistics
        thread = JoinableThread { self.run() }
    }

    // MARK: For other threads

    /// Queues a copy of records. Returns false if the queue is full or writing fails. Then only
    /// records of sessions and app files were queued, without which later records would be
    /// meaningless. The caller counts the refused records, and submits a `lost` record before its
    /// next ones.
    package func submit(_ records: borrowing CaptureRecords) -> Bool {
        if records.isEmpty { return true }
        let byteCount = records.byteCount
        let (bytes, firstTime) = (records.bytes, records.firstTime)
        let isTaken = monitor.locked {
            let waitingCount = queued.count + takenByteCount
            if latestStatistics.failure != nil || waitingCount + byteCount > options.queueByteLimit
            {
                return false
            }
            put(bytes, firstTime: firstTime)
            return true
        }
        if !isTaken { submitSessions(of: bytes, firstTime: firstTime) }
        return isTaken
    }

    /// Writes the last chunk, syncs the file and ends the thread; to be called once. Throws why the
    /// end of the recording could not be written.
    package func close() throws(CaptureError) {
        let thread = monitor.locked {
            assert(!isClosing, "the recording is closed already")
            isClosing = true
            monitor.wake()
            defer { self.thread = nil }
            return self.thread
        }
        thread?.join()
        if let failure = statistics.failure { throw failure }
    }

    /// The recording's metrics at this moment.
    package var statistics: CaptureWriterStatistics {
        monitor.locked {
            var statistics = latestStatistics
            statistics.waitingBytes = queued.count + takenByteCount
            return statistics
        }
    }

    /// Adds a batch to the queue; call it under the monitor.
    private func put(_ records: ByteView, firstTime: RecordedTime) {
        if queued.isEmpty { queuedSince = MonotonicTime.now }
        let wasSmall = queued.count < Self.wakeByteCount
        queued.put(firstTime.rawValue)
        queued.put(counted: records)
        // The thread is woken for the first batch, and when much is queued; otherwise it wakes by
        // itself.
        if isIdle || (wasSmall && queued.count >= Self.wakeByteCount) { monitor.wake() }
        isIdle = false
    }

    /// The size of the queue, in bytes, at which the thread takes the records without waiting
    /// longer.
    private static var wakeByteCount: Int { 256 << 10 }
    /// The capacity in bytes above which an emptied buffer is released.
    private static var keptByteCount: Int { 4 << 20 }

    /// Queues the records of sessions and app files alone. These are few, so they may exceed the
    /// queue's limit, up to twice its size.
    private func submitSessions(of bytes: ByteView, firstTime: RecordedTime) {
        var kept = CaptureRecords()
        var reader = CaptureRecordReader(bytes, firstTime: firstTime)
        while let record = try? reader.next() {
            switch record.kind {
            case .hello, .ended, .apps: kept.put(record)
            case .push, .widgets, .timeline, .state, .request, .attach, .lost: break
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

    // MARK: On the thread

    private func run() {
        while take() {
            work()
            let statistics = recording.statistics
            monitor.locked {
                latestStatistics = statistics
                takenByteCount = 0
            }
            taken.clear()
            if taken.capacity > Self.keptByteCount { taken = StoreWriter(capacity: 1 << 16) }
        }
        recording.finish()
        let statistics = recording.statistics
        monitor.locked { latestStatistics = statistics }
    }

    /// Waits until the queue is due, and takes all of it. Returns false if the recording is being
    /// closed and nothing is left.
    private func take() -> Bool {
        let deadline = recording.deadline
        return monitor.locked {
            while !isClosing && !isDue(deadline) { sleep(until: deadline) }
            assert(taken.isEmpty && takenByteCount == 0, "the last batches are not written yet")
            swap(&queued, &taken)
            takenByteCount = taken.count
            return !isClosing || !taken.isEmpty
        }
    }

    /// True if the thread must work now; call it under the monitor.
    private func isDue(_ deadline: MonotonicTime?) -> Bool {
        if queued.count >= Self.wakeByteCount { return true }
        if queued.isEmpty && deadline == nil { return false }
        let now = MonotonicTime.now
        if let deadline, now >= deadline { return true }
        return !queued.isEmpty && now >= queuedSince + options.gatherInterval
    }

    /// Waits until something may be due; call it under the monitor.
    private func sleep(until deadline: MonotonicTime?) {
        if queued.isEmpty {
            isIdle = true
            if let deadline { monitor.wait(until: deadline) } else { monitor.wait() }
            isIdle = false
        } else {
            let gathered = queuedSince + options.gatherInterval
            monitor.wait(until: min(deadline ?? .max, gathered))
        }
    }

    private func work() {
        var batches = StoreReader(taken.bytes)
        do {
            while !batches.isAtEnd {
                let firstTime = RecordedTime(rawValue: try batches.read(UInt64.self))
                var records = CaptureRecordReader(try batches.readCounted(), firstTime: firstTime)
                while let record = try records.next() { recording.put(record) }
            }
        } catch {
            preconditionFailure("the queue is not what was put there: \(error)")
        }
        recording.performDueWork()
    }
}
