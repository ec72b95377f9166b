internal import Basics
internal import Credentials
internal import FrameCodec

/// The front: what speaks with peers, and stores nothing.
///
///     bytes ──► Front ── receivePush, openSession, … ──► Router, the partition
///     frames ◄──── `FromPartition`: accepted, evicted ◄────┘
///
/// It has the connections with their sessions, handshakes, windows, ACKs and liveness. What is
/// decided and stored is the partition's, which the front is given by each call: `Router`, which
/// knows a connection as the number in a `FrontSession` and nothing else of it. On one loop both
/// write their frames to one list, so that these keep their order, and share the loop's work.
struct Front: ~Copyable {
    /// The connections, from their opening to their end.
    var sessions: SessionTable
    /// When publishers of paused apps, which are not read from, were last sent a PING.
    var pausedPingAt = MonotonicTime.longAgo
    private let passing = PassedByAddress()

    init(names: SessionNames) { sessions = SessionTable(names: names) }

    /// A connection as the partition is to know it.
    @inline(__always)
    func session(of connection: ConnectionSlot) -> FrontSession {
        FrontSession(
            connection: connection,
            generation: sessions.connections[connection].generation
        )
    }

    /// Whether the connection that a partition knows by these numbers is still open.
    func isOpen(_ session: FrontSession) -> Bool {
        let record = sessions.connections[session.connection]
        return record.isOpen && record.generation == session.generation
    }

    // MARK: - Steps

    /// Lets the partition decide what this tick's input and the time that has passed lead to; then
    /// sends the ACKs that are due.
    mutating func step(now: Instant, in partition: inout Router) {
        partition.beginStep(now: now)
        take(from: &partition)
        for connection in sessions.acknowledging {
            sessions.acknowledge(connection, into: &partition.outbox.frames)
        }
        sessions.acknowledging.removeAll(keepingCapacity: true)
        partition.endStep(now: now)
    }

    /// Takes the messages of the partition: which pushes are accepted, what the search for matches
    /// costs their connections, and whose session has ended.
    @inline(__always)
    mutating func take(from partition: inout Router) {
        if !partition.outbox.toFront.isEmpty { takeMessages(from: &partition) }
    }

    @inline(never)
    private mutating func takeMessages(from partition: inout Router) {
        for pushes in partition.outbox.toFront.accepted where isOpen(pushes.session) {
            let connection = pushes.session.connection
            sessions.connections[connection].matched &+= pushes.matched
            sessions.accepted(on: connection, upTo: pushes.lastSeq, arrival: pushes.arrival)
        }
        partition.outbox.toFront.accepted.removeAll(keepingCapacity: true)
        for search in partition.outbox.toFront.searches where isOpen(search.session) {
            pay(search.work, for: search.session.connection, in: &partition)
        }
        partition.outbox.toFront.searches.removeAll(keepingCapacity: true)
        for eviction in partition.outbox.toFront.evicted { end(eviction, in: &partition) }
        partition.outbox.toFront.evicted.removeAll(keepingCapacity: true)
    }

    // MARK: - Refusals

    /// Refuses one frame; the connection stays open.
    mutating func reject(
        _ connection: ConnectionSlot,
        seq: UInt64,
        with error: ProtocolError,
        in partition: inout Router
    ) {
        assert(sessions.connections[connection].isOpen, "the connection is closed")
        let isEstablished = sessions.connections[connection].session.phase.isEstablished
        partition.countRejection(
            error,
            of: isEstablished ? partition.app(of: connection) : nil
        )
        sessions.connections[connection].session.rejected()
        partition.outbox.write(to: connection, type: .reject, seq: seq, body: error.encoded)
    }

    /// Ends a session: what was accepted is acknowledged first, then the error goes out.
    mutating func fail(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        in partition: inout Router
    ) {
        take(from: &partition)
        let record = sessions.connections[connection]
        guard record.isOpen, record.session.phase != .ended else { return }
        assert(!partition.isMatching(for: connection), "what was accepted is matched first")
        answer(connection, in: &partition)
        endSession(connection, in: &partition)
        partition.outbox.fail(connection, with: error)
    }

    /// Sends OUTCOMEs and the ACK for what was accepted on a connection whose session is to end.
    private mutating func answer(_ connection: ConnectionSlot, in partition: inout Router) {
        partition.reportOutcomes(to: session(of: connection))
        sessions.acknowledge(connection, into: &partition.outbox.frames)
    }

    /// Ends a session, or a connection that has none.
    mutating func endSession(_ connection: ConnectionSlot, in partition: inout Router) {
        if sessions.connections[connection].session.phase.isEstablished {
            partition.endSession(connection)
        }
        sessionEnded(connection, in: &partition)
    }

    /// Forgets a connection's session, which has ended in the partition or never was there.
    private mutating func sessionEnded(
        _ connection: ConnectionSlot,
        in partition: inout Router
    ) {
        let record = sessions.connections[connection]
        if record.session.phase == .publisher {
            partition.keepRest(ofProducerOn: connection, account: record.work)
        }
        if record.session.phase == .gateway { partition.limitGateway(connection, to: .all) }
        sessions.end(connection)
    }

    /// Sends ERROR to a peer whose session the partition has ended; what was accepted is
    /// acknowledged first.
    private mutating func end(_ eviction: FromPartition.Eviction, in partition: inout Router) {
        partition.capture.recordEnd(eviction.connection)
        answer(eviction.connection, in: &partition)
        sessionEnded(eviction.connection, in: &partition)
        partition.outbox.fail(eviction.connection, with: eviction.error)
    }
}
