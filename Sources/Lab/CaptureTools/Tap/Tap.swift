package import CaptureFiles
internal import CaptureFormat
internal import DataStructures
internal import FrameCodec
package import LibuvLoop
package import Logging
internal import Platform
internal import ReloadModel
package import Times

/// A TCP proxy in front of a router that records what the router accepts: `reload-lab record`.
///
///     clients ──► bytes, unchanged ──► the router
///             ◄── bytes, unchanged ◄──
///                  └► frames of both directions ► TapSession ► TapEntries ► CaptureWriter
///
/// Everything but the writing happens on the loop's thread. Bytes that are no frames are forwarded
/// as well, but not recorded.
package final class Tap {
    let configuration: TapConfiguration
    let logger: Logger
    let loop: Loop
    private let writer: CaptureWriter
    /// When the recording began.
    private let begin: ExactTime
    let upstream: SocketAddress
    var listeners: [TCPListener] = []
    /// The pairs by slot; both connections of a pair have its slot. Free slots are nil.
    var pairs: ContiguousArray<TapPair?> = []
    var freeSlots: [Int] = []
    /// The number of pairs that are open.
    var openCount = 0
    var entries = TapEntries()
    var unwritten = UnwrittenRecords()
    /// The number of records that the writer has not accepted.
    private var lostCount: UInt64 = 0
    var timer: LoopTimer?
    var signals: [LoopSignal] = []
    /// True once the tap is ending: no more connections are accepted.
    var isDraining = false
    var hasEnded = false
    /// True while the writer cannot write to the disk.
    private var isFailing = false

    /// Output of a connection beyond which reading from its peer pauses, in bytes.
    static var outputLimit: Int { 1 << 20 }
    /// Bytes of records that are passed to the writer at once; fewer wait for the timer.
    private static var handoverByteCount: Int { 64 << 10 }
    /// The timer's interval.
    private static var interval: Milliseconds { .milliseconds(100) }
    /// How long one direction may stay open after the other has ended.
    static var lingerTime: Microseconds { .seconds(10) }
    /// Replaces `lingerTime` while draining, if one side has ended and no output waits for the
    /// other.
    static var drainLinger: Microseconds { .milliseconds(500) }

    /// Listens, and creates the recording.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, where the router is, and where to record.
    ///   - recording: a random number that identifies the recording.
    ///   - startedAt: the present date.
    ///   - logger: the logger.
    /// - Throws: `CaptureError` or `UVError`.
    package init(
        _ configuration: TapConfiguration,
        recording: UInt64,
        startedAt: RecordedDate,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.logger = logger
        loop = try Loop()
        begin = ExactTime.now
        let router = configuration.router
        // `resolve` returns at least one address, or throws.
        upstream = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)[0]
        writer = try CaptureWriter(
            path: configuration.path,
            options: configuration.options,
            recording: recording,
            startedAt: startedAt
        )
        try listen()
        timer = try LoopTimer(loop, owner: self)
        try timer?.start(after: Self.interval, repeating: Self.interval)
        for number in [TapSignal.interrupt, .terminate] {
            signals.append(try LoopSignal(loop, signal: number.rawValue, owner: self))
        }
        recordAppFile()
    }

    private func listen() throws {
        var port = configuration.listen.port
        let host = configuration.listen.host
        for address in try SocketAddress.resolve(host: host, port: port, loop: loop) {
            let address = address.with(port: port)
            let listener: TCPListener
            do throws(UVError) {
                listener = try TCPListener(loop, address: address, owner: self)
            } catch {
                throw ListenError(address, cause: error)
            }
            listeners.append(listener)
            // With port 0 the system picks a port; the name's other addresses use the same one.
            port = listener.localAddress.port
        }
    }

    /// The addresses that the tap listens on, as `HOST:PORT`.
    package var listeningAddresses: [String] { listeners.map { $0.localAddress.description } }

    /// Forwards and records until a signal ends it.
    ///
    /// - Throws: `UVError` if the loop fails, `CaptureError` if not all records could be written.
    package func run() throws {
        try loop.run()
        try loop.close()
        submitRecords()
        try writer.close()
        logger.notice(
            "the recording has ended",
            metadata: [
                "records": "\(writer.statistics.records)",
                "lost": "\(lostCount + UInt64(writer.statistics.lost))",
                "unanswered": "\(entries.unansweredCount)",
            ]
        )
    }

    /// The present time in the recording.
    var now: RecordedTime { .zero + Microseconds(ExactTime.now - begin) }

    // MARK: - Records

    private func recordAppFile() {
        if configuration.appFile.isEmpty { return }
        let text = configuration.appFile.withByteView { openAppFile($0) }
        text.withByteView { text in
            unwritten.put(CaptureRecord(time: now, connection: 0, kind: .apps, body: text))
        }
    }

    /// Passes decided records on to the writer once there are enough of them.
    func recordDecided() {
        entries.move(to: &unwritten)
        if unwritten.byteCount >= Self.handoverByteCount { submitRecords() }
    }

    /// Passes all decided records on to the writer.
    private func submitRecords() {
        entries.move(to: &unwritten)
        if unwritten.isEmpty { return }
        if !writer.submit(unwritten.records) {
            lostCount += unwritten.lose(at: now)
            return
        }
        unwritten.taken()
    }

    private func logWriter() {
        let statistics = writer.statistics
        if let error = statistics.failure, !isFailing {
            logger.error("nothing is recorded: writing fails", metadata: ["error": "\(error)"])
        } else if statistics.failure == nil && isFailing {
            logger.notice("inputs are recorded again")
        }
        isFailing = statistics.failure != nil
    }
}

@available(*, unavailable)
extension Tap: Sendable {}

extension Tap: TimerOwner, SignalOwner {
    /// Passes records on to the writer, logs changes of its state and closes finished pairs.
    package func timerFired(_ timer: LoopTimer) {
        submitRecords()
        logWriter()
        closeLingering()
    }

    /// Drains on the first signal, and closes everything on the second.
    package func signalReceived(_ signal: LoopSignal) {
        if !isDraining { drain() } else { closeAll() }
    }
}

/// The signals that end a tap, by their POSIX numbers. The first drains it, and a second closes
/// everything at once.
enum TapSignal: CInt {
    case interrupt = 2
    case terminate = 15
}

/// The addresses and the recording of a tap.
package struct TapConfiguration: Sendable {
    /// Where clients connect; port 0 lets the system choose one.
    package var listen: Endpoint
    /// The address of the router.
    package var router: Endpoint
    /// The path of the recording's first file.
    package var path: String
    /// The sizes of the recording's files, and how they are written.
    package var options: CaptureWriterOptions
    /// The text of the router's app file, for the recording; empty if it is not known.
    package var appFile: [UInt8]

    /// Creates a configuration of all its parts.
    package init(
        listen: Endpoint,
        router: Endpoint,
        path: String,
        options: CaptureWriterOptions,
        appFile: [UInt8]
    ) {
        self.listen = listen
        self.router = router
        self.path = path
        self.options = options
        self.appFile = appFile
    }
}
