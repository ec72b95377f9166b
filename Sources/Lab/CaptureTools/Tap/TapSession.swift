internal import CaptureFormat
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON
internal import Times

/// The session on one connection of a tap, as the frames of both directions show it.
///
/// Frames of the client become entries, and frames of the router decide them:
///
///     HELLO                          WELCOME: accepted
///     PUSH, WIDGETS, TIMELINE, …     ACK: accepted, all up to its seq
///                                    REJECT: refused, the frame with its seq
///     all without an answer          ERROR: refused
struct TapSession {
    private enum Phase {
        case awaitingHello
        case awaitingWelcome(entry: Int)
        case open
        /// Nothing more is recorded.
        case over
    }

    /// A frame of the client without an answer.
    private struct PendingFrame {
        /// The number of its entry in `TapEntries`.
        var entry: Int
        var seq: UInt64
        var isRefused = false
    }

    /// The number of the connection in the recording.
    let connection: UInt32
    private var phase = Phase.awaitingHello
    /// Frames without an answer, in order, from `pendingHead` on.
    private var pending: ContiguousArray<PendingFrame> = []
    private var pendingHead = 0
    /// The sequence number of the producer's last push that the router has accepted: a push that is
    /// not above it is a repetition.
    private var highestSeq: UInt64 = 0
    private var role = Peer.gateway
    /// The entry for the session's end, once the client has ended it.
    private var endEntry: Int?

    init(connection: UInt32) {
        self.connection = connection
    }

    private var isOver: Bool { if case .over = phase { true } else { false } }

    // MARK: - The client

    /// Processes a frame of the client.
    mutating func sent(
        _ header: FrameHeader,
        body: ByteView,
        at time: RecordedTime,
        entries: inout TapEntries
    ) {
        if isOver { return }
        switch header.type {
        case .hello:
            saidHello(body, at: time, entries: &entries)
        case .push, .widgets, .timeline, .state, .request, .attach:
            let record = CaptureRecord(
                time: time,
                connection: connection,
                kind: CaptureKind(rawValue: header.type.rawValue)!,
                flags: header.flags,
                seq: header.seq,
                body: body
            )
            let entry = entries.append(record, outcome: .undecided)
            pending.append(PendingFrame(entry: entry, seq: header.seq))
        case .welcome, .ping, .pong, .ack, .reject, .outcome, .reload, .scheduled, .detached,
            .attached, .error, .goaway:
            break
        }
    }

    private mutating func saidHello(
        _ body: ByteView,
        at time: RecordedTime,
        entries: inout TapEntries
    ) {
        guard case .awaitingHello = phase, var message = decode(body) else {
            // The router will end the session.
            return end(at: time, entries: &entries)
        }
        message.token = nil
        // An OUTCOME changes nothing, and a replay has no use for it.
        message.wantsOutcomes = false
        role = message.role
        let entry = message.encoded.withByteView { body in
            entries.append(
                CaptureRecord(time: time, connection: connection, kind: .hello, body: body),
                outcome: .undecided
            )
        }
        phase = .awaitingWelcome(entry: entry)
    }

    private func decode(_ body: ByteView) -> HelloMessage? {
        isJSON(body) ? try? HelloMessage.decode(body) : nil
    }

    private func isJSON(_ body: ByteView) -> Bool {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        return (try? validateJSON(body, using: &scanner)) != nil
    }

    // MARK: - The router

    /// Processes a frame of the router.
    mutating func answered(
        _ header: FrameHeader,
        body: ByteView,
        at time: RecordedTime,
        entries: inout TapEntries
    ) {
        switch header.type {
        case .welcome: welcomed(body, entries: &entries)
        case .ack: acknowledged(header.seq, entries: &entries)
        case .reject: rejected(header.seq, entries: &entries)
        case .error: refuseRest(at: time, entries: &entries)
        case .hello, .ping, .pong, .push, .outcome, .widgets, .timeline, .state, .request,
            .attach, .reload, .scheduled, .detached, .attached, .goaway:
            break
        }
    }

    private mutating func welcomed(_ body: ByteView, entries: inout TapEntries) {
        guard case .awaitingWelcome(let entry) = phase else { return }
        phase = .open
        entries.decide(entry, as: .accepted)
        if let endEntry { entries.decide(endEntry, as: .accepted) }
        if role == .publisher { highestSeq = lastSeq(body) }
    }

    /// The sequence number of the producer's last push, from the body of a WELCOME.
    private func lastSeq(_ body: ByteView) -> UInt64 {
        var reader = JSONReader(body)
        if !isJSON(body) || reader.peek() != .object { return 0 }
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "lastSeq" && reader.peek() == .number {
                return reader.readUnsigned() ?? 0
            }
            reader.skipValue()
        }
        return 0
    }

    private mutating func acknowledged(_ seq: UInt64, entries: inout TapEntries) {
        settle(&entries) { $0.isRefused || $0.seq <= seq }
    }

    private mutating func rejected(_ seq: UInt64, entries: inout TapEntries) {
        let found = pending[pendingHead...].firstIndex { $0.seq == seq && !$0.isRefused }
        guard let found else { return }
        pending[found].isRefused = true
        settle(&entries) { $0.isRefused }
    }

    /// Decides pending frames from the first on, up to the first that is not answered.
    private mutating func settle(
        _ entries: inout TapEntries,
        while isAnswered: (PendingFrame) -> Bool
    ) {
        while pendingHead < pending.count, isAnswered(pending[pendingHead]) {
            let frame = pending[pendingHead]
            pendingHead += 1
            // A push that the producer has sent before is acknowledged, but has no effect.
            let isNew = role != .publisher || frame.seq > highestSeq
            highestSeq = max(highestSeq, frame.seq)
            entries.decide(frame.entry, as: isNew && !frame.isRefused ? .accepted : .refused)
        }
        assert(pendingHead <= pending.count, "a frame was decided that is not pending")
        if pendingHead == pending.count {
            pending.removeAll(keepingCapacity: true)
            pendingHead = 0
        } else if pendingHead > 1_024 && pendingHead * 2 > pending.count {
            pending.removeFirst(pendingHead)
            pendingHead = 0
        }
    }

    // MARK: - The end

    /// Refuses all pending frames when the router ends the session with an ERROR: before it, the
    /// router has acknowledged everything that it accepted.
    private mutating func refuseRest(at time: RecordedTime, entries: inout TapEntries) {
        for frame in pending[pendingHead...] { entries.decide(frame.entry, as: .refused) }
        pending.removeAll()
        pendingHead = 0
        end(at: time, entries: &entries)
    }

    /// Records that the client will send no more; the router may still answer. A second call does
    /// nothing: a connection that fails after its peer's end is reported twice.
    mutating func clientEnded(at time: RecordedTime, entries: inout TapEntries) {
        if endEntry != nil { return }
        let outcome: TapEntries.Outcome
        switch phase {
        case .awaitingHello, .over: return
        case .awaitingWelcome: outcome = .undecided
        case .open: outcome = .accepted
        }
        endEntry = entries.append(ended(at: time), outcome: outcome)
    }

    /// The record of the session's end.
    private func ended(at time: RecordedTime) -> CaptureRecord {
        CaptureRecord(time: time, connection: connection, kind: .ended, body: .empty)
    }

    /// Ends the recording of a session when its connection is closed or carries no frames. What the
    /// router did with unanswered frames is unknown: they count as accepted.
    mutating func end(at time: RecordedTime, entries: inout TapEntries) {
        switch phase {
        case .over: return
        case .awaitingHello: break
        case .awaitingWelcome(let entry):
            // Without a session, nothing is accepted.
            entries.decide(entry, as: .refused)
            if let endEntry { entries.decide(endEntry, as: .refused) }
            for frame in pending[pendingHead...] { entries.decide(frame.entry, as: .refused) }
        case .open:
            for frame in pending[pendingHead...] {
                if frame.isRefused || (role == .publisher && frame.seq <= highestSeq) {
                    entries.decide(frame.entry, as: .refused)
                } else {
                    entries.giveUp(frame.entry)
                }
            }
            if endEntry == nil { _ = entries.append(ended(at: time), outcome: .accepted) }
        }
        pending = []
        pendingHead = 0
        phase = .over
    }
}
