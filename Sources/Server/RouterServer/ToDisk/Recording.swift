internal import AdminAPI
internal import Basics
package import CaptureFiles
internal import CaptureFormat
internal import Glibc
internal import Logging
internal import Platform
internal import RouterCore

/// What a server records, and where.
package struct RecordingSettings: Sendable {
    /// Path of the recording's first file.
    package var path: String
    /// Limits of the files, and whether values are redacted.
    package var options: CaptureWriterOptions

    /// Makes settings from a path and options.
    package init(path: String, options: CaptureWriterOptions) {
        self.path = path
        self.options = options
    }
}

/// A recording of the inputs that a router accepts: passes the router's records to the thread that
/// writes them.
///
/// The router never waits for it. Records for which the writer's queue has no capacity are counted,
/// and a record in the file says how many are missing. Belongs to the loop's thread; the writer's
/// own thread works inside `writer`.
final class Recording {
    /// Submits records that were kept because they were few.
    let timer: ServerTimer
    private let writer: CaptureWriter
    /// When the recording began.
    private let begin: ExactTime
    /// When records were last submitted.
    private var lastSubmission = RecordedTime.zero
    /// Inputs whose records the writer's queue refused.
    private var refusedCount: UInt64 = 0
    /// Whether the log says that writing fails.
    private var isReportedFailing = false

    /// The size in bytes from which on records are submitted: less would wake the writer's thread
    /// in every tick.
    private static var submissionByteCount: Int { 64 << 10 }
    /// The time after the last submission at which records are submitted although they are few.
    private static var submissionAge: Microseconds { Microseconds(interval) }
    /// Interval of the timer that submits old records while no input arrives.
    private static var interval: Milliseconds { .milliseconds(100) }

    /// Creates the first file and starts the writer. The number, which is random, identifies the
    /// recording; `start` starts the timer, which submits records.
    ///
    /// - Throws: `CaptureError` if the file cannot be created.
    init(_ settings: RecordingSettings, number: UInt64, timer: ServerTimer) throws(CaptureError) {
        self.timer = timer
        begin = .now
        writer = try CaptureWriter(
            path: settings.path,
            options: settings.options,
            recording: number,
            startedAt: RecordedDate(.now)
        )
    }

    /// The present time in the recording.
    var now: RecordedTime { .zero + Microseconds(ExactTime.now - begin) }

    /// Records the stored state first, waiting for the writer as long as that takes: no peer is
    /// served yet.
    func start(_ router: inout Router, appFile: [UInt8]) {
        router.setArrival(now)
        router.startCapture(appFile: appFile)
        try? timer.start(after: Self.interval, repeating: Self.interval)
        var devices = Router.StoredDeviceProgress()
        var isAll = false
        while !isAll {
            isAll = router.captureStored(&devices, byteCount: Self.submissionByteCount)
            while !writer.submit(router.capture.records) {
                if writer.statistics.failure != nil { return lose(&router) }
                usleep(1_000)
            }
            router.captureTaken()
        }
    }

    /// Submits the tick's records if they are many or old enough.
    func endTick(_ router: inout Router) {
        if router.capture.records.byteCount < Self.submissionByteCount
            && router.capture.arrival < lastSubmission + Self.submissionAge
        {
            return
        }
        submitRecords(&router)
    }

    /// Submits all records that there are.
    func submitRecords(_ router: inout Router) {
        lastSubmission = router.capture.arrival
        if router.capture.records.isEmpty { return }
        if !writer.submit(router.capture.records) { return lose(&router) }
        router.captureTaken()
    }

    /// Submits the records that `endTick` has kept because they were few, and logs whether writing
    /// has begun to fail, or works again.
    func resume(_ router: inout Router, logger: Logger) {
        router.setArrival(now)
        submitRecords(&router)
        let failure = writer.statistics.failure
        if (failure != nil) == isReportedFailing { return }
        isReportedFailing = failure != nil
        if let failure {
            logger.error("nothing is recorded: writing fails", metadata: ["error": "\(failure)"])
        } else {
            logger.notice("inputs are recorded again")
        }
    }

    private func lose(_ router: inout Router) { refusedCount += router.captureLost() }

    /// Writes the remaining records and closes the file.
    func close(_ router: inout Router, logger: Logger) {
        submitRecords(&router)
        do throws(CaptureError) {
            try writer.close()
        } catch {
            logger.error("the recording lacks its end", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - State

    /// Inputs that are missing from the recording.
    var lostCount: UInt64 { refusedCount + UInt64(writer.statistics.lost) }

    /// Path of the file that is being written.
    var path: String { writer.statistics.path }

    /// The metrics that the status reports of the recording.
    var status: RecordingStatus {
        let statistics = writer.statistics
        var status = RecordingStatus()
        status.isFailing = statistics.failure != nil
        status.recordCount = UInt64(statistics.records)
        status.lostCount = refusedCount + UInt64(statistics.lost)
        status.fileCount = UInt64(statistics.files)
        status.byteCount = UInt64(statistics.rawBytes)
        status.storedByteCount = UInt64(statistics.storedBytes)
        return status
    }
}
