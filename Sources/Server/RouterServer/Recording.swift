internal import AdminAPI
package import CaptureFiles
internal import CaptureFormat
internal import Glibc
internal import Platform
internal import RouterCore

/// What a server is to record, and where to.
package struct RecordingSettings: Sendable {
    /// The first file of the recording.
    package var path: String
    package var options: CaptureWriterOptions

    package init(path: String, options: CaptureWriterOptions) {
        self.path = path
        self.options = options
    }
}

/// A recording of what a router accepts: the way from its records to the thread that writes them.
///
/// The router never waits for it: records that the writer has no room for are counted, and a record
/// says how many are missing. Belongs to the loop; the writer's thread is behind `writer`.
final class Recording {
    private let writer: CaptureWriter
    /// When the recording began, in ns of the monotonic clock.
    private let begin: Int64
    /// When records were last handed over, in µs since then.
    private var lastHandover: UInt64 = 0
    /// Records that the writer had no room for.
    private var refusedCount: UInt64 = 0
    /// What was last told of the writer's failures.
    private var toldFailure: CaptureError?

    /// Records are handed over when they have so many bytes, or are so old, in µs: the writer's thread
    /// is not woken for every turn.
    private static var handoverByteCount: Int { 64 << 10 }
    private static var handoverAge: UInt64 { 100_000 }
    /// How often that is looked at when nothing comes in, in ms.
    static var interval: UInt64 { 100 }

    /// - Parameters:
    ///   - settings: what to record, and where to.
    ///   - number: drawn at random, to tell the recording from others.
    /// - Throws: `CaptureError` if no file can be made.
    init(_ settings: RecordingSettings, number: UInt64) throws(CaptureError) {
        begin = monotonicNanoseconds()
        writer = try CaptureWriter(
            path: settings.path,
            settings.options,
            recording: number,
            startedAt: wallNanoseconds() / 1_000
        )
    }

    /// Since the recording began, in µs.
    var now: UInt64 { UInt64((monotonicNanoseconds() - begin) / 1_000) }

    /// Tells first of what is stored, however long that takes: nobody is served yet.
    ///
    /// - Parameters:
    ///   - router: the router.
    ///   - appFile: the app file that holds.
    func start(_ router: inout Router, appFile: [UInt8]) {
        router.setArrival(now)
        router.startCapture(appFile: appFile)
        var devices = Router.StoredDevices()
        var isAll = false
        while !isAll {
            isAll = router.captureStored(&devices, byteCount: Self.handoverByteCount)
            while !writer.submit(router.capture.unwritten.records) {
                if writer.statistics.failure != nil { return lose(&router) }
                usleep(1_000)
            }
            router.captureTaken()
        }
    }

    /// Hands over what a turn has brought, if that is enough.
    func endTurn(_ router: inout Router) {
        if router.capture.unwritten.byteCount < Self.handoverByteCount
            && router.capture.arrival < lastHandover + Self.handoverAge
        {
            return
        }
        handOver(&router)
    }

    /// Hands over whatever there is.
    func handOver(_ router: inout Router) {
        lastHandover = router.capture.arrival
        if router.capture.unwritten.isEmpty { return }
        if !writer.submit(router.capture.unwritten.records) { return lose(&router) }
        router.captureTaken()
    }

    private func lose(_ router: inout Router) {
        refusedCount += router.captureLost()
    }

    /// Writes what there is, and ends.
    ///
    /// - Throws: `CaptureError` if not everything could be written.
    func close(_ router: inout Router) throws(CaptureError) {
        handOver(&router)
        try writer.close()
    }

    // MARK: - How it does

    /// Records that are missing.
    var lostCount: UInt64 { refusedCount + UInt64(writer.statistics.lost) }

    /// What of the writer's failures has not been told yet.
    enum Change {
        case begins(CaptureError)
        case ends
    }

    func takeChange() -> Change? {
        let failure = writer.statistics.failure
        if (failure == nil) == (toldFailure == nil) { return nil }
        toldFailure = failure
        return failure.map { .begins($0) } ?? .ends
    }

    /// The file that is being written.
    var path: String { writer.statistics.path }

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
