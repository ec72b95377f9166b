internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// The connections of a router, and which of them wait for an ACK, a HELLO or a PING; no part of the
/// state.
struct SessionTable: ~Copyable {
    let names: SessionNames
    var connections = Slab<ConnectionRecord>()
    /// How many connections have each role.
    private(set) var roles = RoleCounts()
    /// Connections to which an ACK must be sent at the end of the step.
    var acknowledging: ContiguousArray<UInt32> = []
    /// Connections that have not said HELLO, oldest first; those that have are passed over.
    var awaitingHello = AwaitingQueue()
    /// The connection whose silence is looked at next; nil between two sweeps.
    var nextSwept: UInt32?
    /// When the present sweep or the last one began, and how long after the one before; ms, monotonic.
    var sweptAt: Int64 = 0
    var sweptTime: Int64 = 0
    /// When publishers of paused apps, which are not read from, were last sent a PING; ms, monotonic.
    var pausedPingAt = Int64.min / 2

    init(names: SessionNames) { self.names = names }

    /// Begins a connection on a slot that no open one has.
    mutating func begin(_ connection: UInt32, at now: Instant) {
        connections.reserve(through: connection, filling: ConnectionRecord())
        precondition(!connections[connection].isOpen, "the slot \(connection) is taken")
        var record = ConnectionRecord()
        record.generation = connections[connection].generation &+ 1
        record.isOpen = true
        record.lastFrameAt = now.monotonic
        connections[connection] = record
        roles.add(1, to: record.session.phase)
    }

    /// The session of a connection takes on its role.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - role: what HELLO asked for.
    ///   - number: of the session.
    ///   - lastSeq: a producer's last push.
    mutating func accept(_ connection: UInt32, _ role: Peer, number: UInt64, lastSeq: UInt64) {
        roles.add(-1, to: connections[connection].session.phase)
        connections[connection].session.accept(role, lastSeq: lastSeq)
        connections[connection].number = number
        roles.add(1, to: connections[connection].session.phase)
    }

    /// Forgets the role of a connection that is closed.
    mutating func end(_ connection: UInt32) {
        roles.add(-1, to: connections[connection].session.phase)
        connections[connection].session.end()
    }

    /// Makes the ACK that is due to a connection, if any.
    mutating func acknowledge(_ connection: UInt32, _ frames: inout OutgoingFrames) {
        let record = connections[connection]
        guard record.isOpen, record.ackIsDue, record.session.phase != .ended else { return }
        var frame = OutgoingFrame(connection, .ack)
        let isPublisher = record.session.phase == .publisher
        if isPublisher {
            frame.arrival = record.ackArrival
            frame.coveredCount = UInt32(clamping: record.session.unacknowledged)
        }
        frames.append(ack: frame, seq: record.ackSeq, matched: isPublisher ? record.matched : nil)
        connections[connection].ackIsDue = false
        connections[connection].matched = 0
        connections[connection].session.acknowledged()
    }
}
