package import Basics
package import CaptureFormat
internal import FrameCodec
package import RouterCore
internal import StoreFormat

/// The options of playing a capture.
package struct CapturePlayOptions: Sendable {
    /// When the capture began, from its header.
    package var startedAt: RecordedDate
    /// The app file to use instead of the capture's; nil for the capture's own.
    package var catalog: AppCatalog?
    /// How long the router continues to run after the last record, so that reloads it has put
    /// off are sent.
    package var settlingTime = Milliseconds.hours(25)
    /// True to report every decision; otherwise they are only counted.
    package var reportsDecisions = true
    /// The seed of the router's decisions.
    package var seed: UInt64 = 0
    /// The key of the router's hash tables, on which no decision depends.
    package var hashKey = HashKey.ofRuntime

    /// Creates options with the default for everything else.
    package init(startedAt: RecordedDate, catalog: AppCatalog? = nil) {
        self.startedAt = startedAt
        self.catalog = catalog
    }

    /// The longest time between two records.
    package static var longestGap: Milliseconds { .days(400) }
}

/// Counts of what was played.
package struct CapturePlayCounts: Equatable, Sendable {
    /// Records played, including those that only repeat what is known.
    package var records: UInt64 = 0
    /// Sessions begun by a HELLO, whether or not the router accepted it.
    package var sessions: UInt64 = 0
    /// PUSH records played.
    package var pushes: UInt64 = 0
    /// RELOAD frames that the router sent.
    package var reloads: UInt64 = 0
    /// REJECT frames that the router sent.
    package var rejected: UInt64 = 0
    /// Sessions that the router ended with an ERROR.
    package var failed: UInt64 = 0
    /// Frames of connections without a session, such as those whose HELLO came before the capture.
    package var orphans: UInt64 = 0
    /// Inputs that the recorder could not record.
    package var lost: UInt64 = 0
    /// Widgets whose reload was still waiting at the end.
    package var pending: Int = 0

    /// Creates counts that are all 0.
    package init() {}
}

/// Plays the records of a capture through the real router, in simulated time: the same records lead
/// to the same decisions, byte for byte.
///
///     record ─► time passes: timers at their dates ─► frame, as on the wire ─► step, once a ms
///                       └──────────────► decisions, RELOADs, REJECTs ◄──────────┘
///
/// Captures contain no tokens, and every client is let in. Devices send what was recorded, with
/// one exception: a TIMELINE that answered a RELOAD now answers the last RELOAD that this play has
/// sent for the widget.
package final class CapturePlay: VirtualPeers {
    /// The session in a slot of the router.
    private struct Peer {
        var connection: UInt32
        var app: String
    }

    private let options: CapturePlayOptions
    /// When the capture began.
    private let start: WallTime
    private let driver: VirtualRouter
    private let observe: (PlayedEvent, WallTime) -> Void
    /// The counts so far; `pending` is set by `finish`.
    package private(set) var counts = CapturePlayCounts()
    /// The sessions, by the router's slots.
    private var peers: [Peer] = []
    /// The slot of each connection of the capture.
    private var slots: [UInt32: ConnectionSlot] = [:]
    private var freeSlots: [ConnectionSlot] = []
    /// Recognises the records at the beginning of later files that repeat what is known.
    private var sessions = CaptureSessions()
    /// True if frames were received since the last step.
    private var hasInput = false
    private var frame = StoreWriter(capacity: 65_536)
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)

    /// Starts a router at the time of the capture's beginning; `observe` gets all that it does.
    package init(
        _ options: CapturePlayOptions,
        observe: @escaping (_ event: PlayedEvent, _ time: WallTime) -> Void
    ) {
        self.options = options
        start = WallTime(options.startedAt)
        self.observe = observe
        driver = VirtualRouter(
            options.catalog ?? AppCatalog(apps: []),
            limits: Self.limits,
            seed: options.seed,
            hashKey: options.hashKey,
            now: Instant(monotonic: MonotonicTime(rawValue: 1_000), wall: start)
        )
        driver.hasAPNs = true
        driver.router.isTracing = options.reportsDecisions
    }

    /// The router's limits, so high that none refuses an input: all that was recorded had been
    /// accepted.
    private static var limits: RouterLimits {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        limits.maxBody = 524_288
        limits.window = 1_048_576
        limits.connections = RouterLimits.connectionsLimit
        limits.connectionsAwaitingHello = RouterLimits.connectionsLimit
        limits.devices = RouterLimits.devicesLimit
        limits.widgetsPerDevice = 4_096
        limits.producers = .max
        limits.seqJump = 1 << 62
        limits.allowsReservedNames = true
        limits.connectionOutput = 1 << 20
        // The log of decisions is off, because the trace has all of them.
        limits.decisionsPerDevice = 0
        return limits
    }

    /// All decisions, by reason.
    package var decisions: DecisionCounts { driver.router.counters.decisions }

    // MARK: - Time

    /// The simulated date.
    private var now: WallTime { driver.now.wall }

    /// Advances to a time, and steps the router at each of its timers on the way.
    private func advance(to time: WallTime) {
        if time <= now { return }
        stepIfNeeded()
        while driver.advanceToWakeUp(before: time) { step() }
        driver.advance(time - now)
    }

    private func stepIfNeeded() {
        if !hasInput { return }
        hasInput = false
        step()
    }

    /// Steps the router until it is at rest.
    private func step() {
        var sink = self
        driver.settle(to: &sink)
    }

    /// Plays the next record, which must not be earlier than the one before.
    ///
    /// - Throws: `corrupt` if it is an invalid app file, or comes more than `longestGap` after the
    ///   record before.
    package func play(_ record: CaptureRecord) throws(CaptureError) {
        let time = start.adding(clamped: Milliseconds(record.time.rawValue / 1_000))
        if time - now > CapturePlayOptions.longestGap {
            throw CaptureError(.corrupt, message: "nothing was recorded for more than 400 days")
        }
        advance(to: time)
        counts.records += 1
        if !sessions.take(record) { return }
        hasInput = true
        switch record.kind {
        case .apps: try install(record.body)
        case .lost: counts.lost += lostCount(record.body)
        case .hello: open(record)
        case .ended: close(record.connection)
        case .timeline: receivedTimeline(record)
        case .push:
            counts.pushes += 1
            received(record, body: record.body)
        case .widgets, .state, .request, .attach: received(record, body: record.body)
        }
    }

    /// Runs the router for `settlingTime` more, so that it sends the reloads it has put off;
    /// returns the counts.
    @discardableResult
    package func finish() -> CapturePlayCounts {
        stepIfNeeded()
        advance(to: now + options.settlingTime)
        step()
        counts.pending = driver.router.pendingReloadCount
        assertInvariants { () throws(InvariantViolation) in try driver.router.checkInvariants() }
        return counts
    }

    // MARK: - Records

    private func install(_ file: ByteView) throws(CaptureError) {
        if options.catalog != nil { return }
        let catalog: AppCatalog
        do throws(AppFileError) {
            catalog = try AppFile.parseStored(file)
        } catch {
            throw CaptureError(
                .corrupt,
                message: "the app file of the capture is refused: \(error)"
            )
        }
        if let problem = driver.router.problem(with: catalog) {
            throw CaptureError(
                .corrupt,
                message: "the app file of the capture is refused: \(problem)"
            )
        }
        driver.router.tick(driver.now)
        driver.router.install(catalog)
    }

    private func lostCount(_ body: ByteView) -> UInt64 {
        var reader = StoreReader(body)
        return (try? reader.readVarint()) ?? 0
    }

    private func open(_ record: CaptureRecord) {
        close(record.connection)
        let peer = Peer(connection: record.connection, app: app(ofHello: record.body))
        let slot: ConnectionSlot
        if let free = freeSlots.popLast() {
            slot = free
            peers[slot.index] = peer
        } else {
            slot = ConnectionSlot(index: peers.count)
            peers.append(peer)
        }
        slots[record.connection] = slot
        assert(peers.count == slots.count + freeSlots.count, "a slot is lost")
        counts.sessions += 1
        driver.open(slot)
        received(record, body: record.body)
    }

    private func app(ofHello body: ByteView) -> String {
        guard (try? validateJSON(body, using: &scanner)) != nil else {
            scanner.resetScratch()
            return ""
        }
        scanner.resetScratch()
        return (try? HelloMessage.decode(body))?.app ?? ""
    }

    private func close(_ connection: UInt32) {
        guard let slot = slots.removeValue(forKey: connection) else { return }
        driver.close(slot)
        step()
        freeSlots.append(slot)
        assert(peers.count == slots.count + freeSlots.count, "a slot is freed twice")
    }

    /// Passes the router a frame with this body.
    private func received(_ record: CaptureRecord, body: ByteView) {
        guard let slot = slots[record.connection],
            let type = FrameType(rawValue: record.kind.rawValue)
        else {
            counts.orphans += 1
            return
        }
        let header = FrameHeader(
            type: type,
            flags: record.flags,
            seq: record.seq,
            bodyCount: body.count
        )
        frame.clear()
        unsafe header.write(to: frame.extend(FrameHeader.byteCount))
        frame.put(raw: body)
        var sink = self
        driver.receive(all: frame.bytes, on: slot, to: &sink)
    }

    // MARK: - TIMELINE

    /// Passes the router a TIMELINE. If it answered a RELOAD, it gets the number of the widget's
    /// last RELOAD of this play.
    private func receivedTimeline(_ record: CaptureRecord) {
        guard let slot = slots[record.connection],
            case .object(var members)? = try? JSONValue(
                parsing: record.body,
                depthLimit: RouterLimits.jsonDepth
            ),
            let reload = members.firstIndex(where: { $0.name == "reload" }),
            case .number = members[reload].value,
            case .string(let device)? = JSONValue.object(members).member("device"),
            case .string(let widget)? = JSONValue.object(members).member("widget")
        else { return received(record, body: record.body) }
        let seq = device.withByteView { device in
            widget.withByteView { widget in
                driver.router.lastReload(
                    ofWidget: widget,
                    device: device,
                    app: peers[slot.index].app
                )
            }
        }
        guard let seq, seq > 0 else { return received(record, body: record.body) }
        members[reload].value = .number("\(seq)")
        JSONValue.object(members).text.withByteView { received(record, body: $0) }
    }

    // MARK: - Output

    /// Reports the decisions of the router's last step.
    package func stepped(_ router: inout Router) {
        for decision in router.tracedDecisions { report(.decided(decision)) }
        router.forgetTrace()
    }

    /// Reports a RELOAD, REJECT or ERROR of the router; ignores other frames.
    package func send(_ frame: OutgoingFrame, bytes: ByteView) {
        let seq = bytes.bigEndian(UInt64.self, at: 8)
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        let peer = peers[frame.connection.index]
        switch frame.type {
        case .reload:
            counts.reloads += 1
            report(.reload(app: peer.app, seq: seq, body: body))
        case .reject:
            counts.rejected += 1
            report(.rejected(connection: peer.connection, seq: seq, body: body))
        case .error:
            counts.failed += 1
            report(.ended(connection: peer.connection, body: body))
        default: break
        }
    }

    private func report(_ event: PlayedEvent) { observe(event, now) }
}
