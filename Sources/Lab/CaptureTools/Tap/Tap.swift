package import CaptureFiles
internal import CaptureFormat
internal import DataStructures
internal import FrameCodec
package import LibuvLoop
package import Logging
internal import Platform
internal import ReloadModel

/// A TCP proxy in front of a router that records what the router accepts: `reload-lab record`.
///
///     clients ──► bytes, unchanged ──► the router
///             ◄── bytes, unchanged ◄──
///                  └► frames of both directions ► TapSession ► TapEntries ► CaptureWriter
///
/// Everything but the writing happens on the loop's thread. Bytes that the tap cannot follow are
/// forwarded all the same.
package final class Tap {
    let configuration: TapConfiguration
    let logger: Logger
    let loop: Loop
    private let writer: CaptureWriter
    /// When the recording began, in ns of the monotonic clock.
    private let begin: Int64
    let upstream: SocketAddress
    var listeners: [TCPListener] = []
    /// By slot; both connections of a pair have its slot.
    var pairs: ContiguousArray<TapPair?> = []
    var freeSlots: [Int] = []
    var openCount = 0
    var entries = TapEntries()
    var unwritten = UnwrittenRecords()
    private var lostCount: UInt64 = 0
    var timer: LoopTimer?
    var signals: [LoopSignal] = []
    /// True once it is ending: no more connections are accepted.
    var isDraining = false
    var hasEnded = false
    private var isFailing = false

    /// Output of a connection beyond which reading from its peer pauses, in bytes.
    static var outputLimit: Int { 1 << 20 }
    /// Bytes of records at which they are passed to the writer; the timer passes on fewer.
    private static var handoverByteCount: Int { 64 << 10 }
    /// The timer's interval, in ms.
    private static var interval: UInt64 { 100 }
    /// How long one direction may stay open after the other has ended, in µs.
    static var lingerTime: UInt64 { 10_000_000 }
    /// The same while draining, for a peer that has been sent everything.
    static var drainLinger: UInt64 { 500_000 }

    /// Listens, and creates the recording.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, where the router is, and where to record.
    ///   - recording: a random number that identifies the recording.
    ///   - startedAt: the current time, in µs since 1970.
    ///   - logger: the logger.
    /// - Throws: `CaptureError` or `UVError`.
    package init(
        _ configuration: TapConfiguration,
        recording: UInt64,
        startedAt: Int64,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.logger = logger
        loop = try Loop()
        begin = monotonicNanoseconds()
        let router = configuration.router
        // `resolve` returns at least one address, or throws.
        upstream = try SocketAddress.resolve(host: router.host, port: router.port, loop: loop)[0]
        writer = try CaptureWriter(
            path: configuration.path,
            configuration.options,
            recording: recording,
            startedAt: startedAt
        )
        try listen()
        timer = try LoopTimer(loop, owner: self)
        try timer?.start(
            afterMilliseconds: Self.interval,
            repeatingMilliseconds: Self.interval
        )
        for number in [TapSignal.interrupt, .terminate] {
            signals.append(try LoopSignal(loop, signal: number.rawValue, owner: self))
        }
        recordAppFile()
    }

    private func listen() throws(UVError) {
        var port = configuration.listen.port
        let host = configuration.listen.host
        for address in try SocketAddress.resolve(host: host, port: port, loop: loop) {
            let listener = try TCPListener(loop, address: address.with(port: port), owner: self)
            listeners.append(listener)
            // Port 0 picks one; the other addresses of the same name get that, too.
            port = listener.localAddress.port
        }
    }

    /// The addresses that it listens on, as `HOST:PORT`.
    package var listeningAddresses: [String] { listeners.map { $0.localAddress.description } }

    /// Forwards and records until a signal ends it.
    ///
    /// - Throws: `UVError` if the loop fails, `CaptureError` if not all records could be written.
    package func run() throws {
        try loop.run()
        try loop.close()
        handOver()
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

    /// The time since the recording began, in µs.
    var now: UInt64 { UInt64((monotonicNanoseconds() - begin) / 1_000) }

    // MARK: - Records

    private func recordAppFile() {
        if configuration.appFile.isEmpty { return }
        let text = configuration.appFile.withByteView { appFileWithoutTokens($0) }
        text.withByteView { text in
            unwritten.put(CaptureRecord(time: now, connection: 0, .apps, body: text))
        }
    }

    /// Passes decided records on to the writer once there are enough of them.
    func recordDecided() {
        entries.move(to: &unwritten)
        if unwritten.byteCount >= Self.handoverByteCount { handOver() }
    }

    private func handOver() {
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
    package func timerFired(_ timer: LoopTimer) {
        handOver()
        logWriter()
        closeLingering()
    }

    package func signalReceived(_ signal: LoopSignal) {
        if !isDraining { drain() } else { closeAll() }
    }
}

/// The signals that end a tap, by their POSIX numbers. A second one closes everything at once.
enum TapSignal: CInt {
    case interrupt = 2
    case terminate = 15
}

/// The addresses and the recording of a tap.
package struct TapConfiguration: Sendable {
    package var listen: Endpoint
    package var router: Endpoint
    /// The path of the recording's first file.
    package var path: String
    package var options: CaptureWriterOptions
    /// The text of the router's app file, for the recording; empty if it is not known.
    package var appFile: [UInt8]

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
