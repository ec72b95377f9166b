internal import Basics
internal import FrameCodec

/// The connections of a front, and which of them are due an ACK, have not said HELLO, or are to be
/// checked for silence. They are not part of the state.
struct SessionTable: ~Copyable {
    let names: SessionNames
    var connections = Slab<ConnectionSlot, ConnectionRecord>()
    /// How many connections have each role.
    private(set) var roles = RoleCounts()
    /// Connections to which an ACK must be sent at the end of the step.
    var acknowledging: ContiguousArray<ConnectionSlot> = []
    /// Connections that have not said HELLO, oldest first; entries of others are skipped.
    var awaitingHello = AwaitingHelloQueue()
    /// The HELLOs that await the driver's verdict: those of connections with `awaitsVerdict`.
    private(set) var hellos: [ConnectionSlot: HelloMessage] = [:]
    /// The connection that is checked for silence next; nil between two sweeps.
    var nextSwept: ConnectionSlot?
    /// When the present sweep or the last one began.
    var sweptAt = MonotonicTime.zero
    /// The time between the beginnings of the last two sweeps, of which `sweptAt` is the second.
    var sweptTime = Milliseconds.zero

    init(names: SessionNames) { self.names = names }

    /// Begins a connection on a slot that no open connection has.
    mutating func begin(_ connection: ConnectionSlot, at now: Instant) {
        connections.reserve(through: connection, filling: ConnectionRecord())
        precondition(!connections[connection].isOpen, "the slot \(connection) is in use")
        var record = ConnectionRecord()
        record.generation = connections[connection].generation &+ 1
        record.isOpen = true
        record.lastFrameAt = now.monotonic
        connections[connection] = record
        roles.add(1, to: record.session.phase)
    }

    /// Keeps the HELLO of a connection until the driver has judged it.
    mutating func await(_ hello: HelloMessage, on connection: ConnectionSlot) {
        assert(!connections[connection].awaitsVerdict, "a connection says HELLO once")
        connections[connection].awaitsVerdict = true
        hellos[connection] = hello
    }

    /// Removes and returns the HELLO of a connection that awaits a verdict; nil if there is none.
    mutating func takeHello(_ connection: ConnectionSlot) -> HelloMessage? {
        if !connections[connection].awaitsVerdict { return nil }
        connections[connection].awaitsVerdict = false
        return hellos.removeValue(forKey: connection)
    }

    /// Gives the session of a connection its role and number. For a producer, `lastSeq` and
    /// `rejectedSeq` are the numbers of its last accepted and last rejected push; 0 for none.
    mutating func accept(
        _ connection: ConnectionSlot,
        as role: Peer,
        number: UInt64,
        lastSeq: UInt64,
        rejectedSeq: UInt64
    ) {
        assert(connections[connection].isOpen && number > 0)
        roles.add(-1, to: connections[connection].session.phase)
        connections[connection].session.accept(role, lastSeq: lastSeq, rejectedSeq: rejectedSeq)
        connections[connection].number = number
        roles.add(1, to: connections[connection].session.phase)
    }

    /// Ends the session of a connection, which has no role from now on.
    mutating func end(_ connection: ConnectionSlot) {
        assert(connections[connection].isOpen, "the connection is closed")
        _ = takeHello(connection)
        roles.add(-1, to: connections[connection].session.phase)
        connections[connection].session.end()
    }

    /// Remembers that an ACK of all frames up to `seq` is due at the end of the step; see
    /// `Outbox.arrival` for the arrival of the first of them.
    @inline(__always)
    mutating func accepted(on connection: ConnectionSlot, upTo seq: UInt64, arrival: ExactTime) {
        if !connections[connection].cover(upTo: seq) {
            makeAckDue(for: connection, arrival: arrival)
        }
    }

    @inline(never)
    private mutating func makeAckDue(for connection: ConnectionSlot, arrival: ExactTime) {
        assert(connections[connection].isOpen, "the connection is closed")
        connections[connection].ackIsDue = true
        connections[connection].ackArrival = arrival
        acknowledging.append(connection)
    }

    /// Makes the ACK that is due to a connection, if any.
    mutating func acknowledge(_ connection: ConnectionSlot, into frames: inout OutgoingFrames) {
        let record = connections[connection]
        guard record.isOpen, record.ackIsDue, record.session.phase != .ended else { return }
        var frame = OutgoingFrame(to: connection, type: .ack)
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
