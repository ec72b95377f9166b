internal import Basics
internal import FrameCodec

/// Connections: opened, checked for silence, and closed.
extension Front {
    /// Begins a connection that was accepted, on a slot that no open connection has.
    mutating func opened(
        _ connection: ConnectionSlot,
        now: Instant,
        in partition: inout Router
    ) {
        partition.tick(now)
        partition.outbox.work.charge(WorkCost.accept)
        sessions.begin(connection, at: now)
        let generation = sessions.connections[connection].generation
        _ = oldestAwaiting()
        sessions.awaitingHello.append(.init(connection: connection, generation: generation))
        if sessions.awaitingHello.count > partition.limits.connectionsAwaitingHello {
            _ = evictOldestAwaiting(in: &partition)
        }
    }

    /// How long the oldest connection that has not said HELLO has had for it; nil if there is none.
    mutating func longestAwaiting(at now: MonotonicTime) -> Milliseconds? {
        guard let oldest = oldestAwaiting() else { return nil }
        return now - sessions.connections[oldest].lastFrameAt
    }

    /// Ends the oldest connection that has not said HELLO, to make room; returns whether there was
    /// one.
    mutating func evictOldestAwaiting(in partition: inout Router) -> Bool {
        guard let oldest = oldestAwaiting() else { return false }
        sessions.awaitingHello.removeFirst()
        sessions.awaitingHello.count -= 1
        let message = "this silent connection is closed to make room for others"
        fail(oldest, with: ProtocolError(.helloTimeout, message: message), in: &partition)
        return true
    }

    /// The oldest connection that has not said HELLO; those before it leave the queue.
    private mutating func oldestAwaiting() -> ConnectionSlot? {
        while let oldest = sessions.awaitingHello.first {
            if isAwaitingHello(oldest) { return oldest.connection }
            sessions.awaitingHello.removeFirst()
        }
        return nil
    }

    private func isAwaitingHello(_ entry: AwaitingHelloQueue.Entry) -> Bool {
        let record = sessions.connections[entry.connection]
        return record.isOpen && record.generation == entry.generation
            && record.session.phase == .awaitingHello
    }

    /// Ends a connection that was closed: its slot may be used again.
    mutating func closed(_ connection: ConnectionSlot, in partition: inout Router) {
        take(from: &partition)
        let record = sessions.connections[connection]
        precondition(record.isOpen, "the slot \(connection) is not open")
        partition.outbox.work.charge(WorkCost.close)
        if record.session.phase == .awaitingHello { sessions.awaitingHello.count -= 1 }
        endSession(connection, in: &partition)
        partition.forget(connection)
        sessions.connections[connection].isOpen = false
    }

    /// Whether an ACK for accepted frames of the connection has still to be sent.
    func hasUnsentAcknowledgement(_ connection: ConnectionSlot) -> Bool {
        let session = sessions.connections[connection].session
        return session.phase.isEstablished && session.unacknowledged > 0
    }

    /// Stops RELOADs for a connection, because its output is above its limit.
    func outputFilled(_ connection: ConnectionSlot, in partition: inout Router) {
        if sessions.connections[connection].isOpen {
            partition.outbox.agenda.outputFilled(connection)
        }
    }

    /// Lets RELOADs for a connection be sent again, because it accepts output again.
    func outputDrained(_ connection: ConnectionSlot, in partition: inout Router) {
        if sessions.connections[connection].isOpen { partition.continueReloads(for: connection) }
    }

    /// Whether the connection has a session.
    func isEstablished(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].session.phase.isEstablished
    }

    /// Whether the connection has the session of a publisher.
    @inline(__always)
    func isPublisher(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].session.phase == .publisher
    }

    // MARK: - Frames that are not whole

    /// How long a connection has been sending one frame; nil if it is not sending one, or if
    /// the rest of its input waits for the router.
    func partialFrameAge(
        _ connection: ConnectionSlot,
        now: Instant,
        of partition: borrowing Router
    ) -> Milliseconds? {
        let record = sessions.connections[connection]
        guard record.isOpen, record.partialSince != .zero, record.session.phase != .ended,
            !isPaused(connection, of: partition)
        else { return nil }
        return now.monotonic - record.partialSince
    }

    /// Ends a connection, because others need the memory in which its input is kept. It is one that
    /// is sending one frame, or that of a publisher of a paused app.
    mutating func evictInput(
        _ connection: ConnectionSlot,
        now: Instant,
        in partition: inout Router
    ) {
        partition.tick(now)
        let reason =
            isPausedPublisher(connection, of: partition)
            ? "its app is paused" : "this one has begun before others"
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        let message = "too much input waits to become whole frames and be taken, and \(reason)"
        fail(connection, with: ProtocolError(.frameTimeout, message: message), in: &partition)
    }

    // MARK: - Liveness

    /// Does what is due about once a second, and begins to check all connections for silence,
    /// unless a sweep is still running.
    mutating func beginSweep(now: Instant, in partition: inout Router) {
        partition.tick(now)
        pingPaused(now: now.monotonic, in: &partition)
        partition.forgetIdle()
        if isSweeping { return }
        sessions.nextSwept = .first
        sessions.sweptTime = now.monotonic - sessions.sweptAt
        sessions.sweptAt = now.monotonic
    }

    /// Whether a sweep has connections left to check, in this tick or the next.
    var isSweeping: Bool { sessions.nextSwept != nil }

    /// Checks the next connections for silence, up to the number that one tick may check; see
    /// `Router.continueSweep`.
    mutating func continueSweep(
        now: Instant,
        isHeard: (ConnectionSlot) -> Bool,
        in partition: inout Router
    ) {
        partition.tick(now)
        guard var next = sessions.nextSwept else { return }
        var left = RouterLimits.sweptPerTick
        let actionLimit = partition.outbox.frames.count + RouterLimits.pingsPerTick
        while sessions.connections.has(next), left > 0,
            partition.outbox.frames.count < actionLimit
        {
            if sessions.connections[next].isOpen {
                sweep(next, now: now, isHeard: isHeard, in: &partition)
            }
            next = next.successor
            left -= 1
        }
        sessions.nextSwept = sessions.connections.has(next) ? next : nil
    }

    private mutating func sweep(
        _ connection: ConnectionSlot,
        now: Instant,
        isHeard: (ConnectionSlot) -> Bool,
        in partition: inout Router
    ) {
        let record = sessions.connections[connection]
        let silence = now.monotonic - record.lastFrameAt
        if record.session.phase == .ended { return }
        if record.admittedUntil <= now.wall {
            // While its last pushes are searched for, it waits for the next sweep.
            if partition.isMatching(for: connection) { return }
            let end = record.admittedUntil.rfc3339
            let message = "the credential of this session was good until \(end)"
            let error = ProtocolError(.tokenExpired, message: message)
            return fail(connection, with: error, in: &partition)
        }
        // The silence of a connection means nothing while the router does not read from it, because
        // its pushes are being applied or its app is paused. A short pause of all connections is no
        // such reason.
        if !isHeard(connection) || isReadingPaused(connection, of: partition) {
            return forgiveSilence(connection, now: now.monotonic)
        }
        if record.session.phase == .awaitingHello {
            if silence >= partition.limits.helloTimeout {
                sessions.awaitingHello.count -= 1
                let message = "no HELLO within \(partition.limits.helloTimeout) ms"
                let error = ProtocolError(.helloTimeout, message: message)
                fail(connection, with: error, in: &partition)
            }
            return
        }
        let frameTimeout = partition.limits.frameTimeout
        if record.partialSince != .zero && now.monotonic - record.partialSince >= frameTimeout {
            let message = "a frame that began \(frameTimeout) ms ago is not complete"
            let error = ProtocolError(.frameTimeout, message: message)
            return fail(connection, with: error, in: &partition)
        }
        let pings = Int64(record.pingsUnanswered)
        if silence < partition.limits.pingInterval * (pings + 1) { return }
        if pings == 2 {
            let error = ProtocolError(.pingTimeout, message: "two PINGs were not answered")
            return fail(connection, with: error, in: &partition)
        }
        sessions.connections[connection].pingsUnanswered += 1
        partition.outbox.write(to: connection, type: .ping)
    }

    /// Moves the start of a connection's silence by the time since the last sweep, because the
    /// connection is not read from now.
    ///
    /// Each sweep is a sample: a connection that is read from half of the time is forgiven half of
    /// its silence.
    private mutating func forgiveSilence(_ connection: ConnectionSlot, now: MonotonicTime) {
        let record = sessions.connections[connection]
        sessions.connections[connection].lastFrameAt =
            min(now, record.lastFrameAt + sessions.sweptTime)
        if record.partialSince == .zero { return }
        sessions.connections[connection].partialSince =
            min(now, record.partialSince + sessions.sweptTime)
    }

    /// Sends PING to the publishers of paused apps, so that they know that the router lives
    /// although it does not read from them and answers nothing.
    private mutating func pingPaused(now: MonotonicTime, in partition: inout Router) {
        if !partition.hasPausedApps || now - pausedPingAt < partition.limits.pingInterval { return }
        pausedPingAt = now
        for connection in sessions.connections.ids
        where sessions.connections[connection].isOpen
            && isPausedPublisher(connection, of: partition)
        {
            partition.outbox.write(to: connection, type: .ping)
        }
    }

    // MARK: - Drain

    /// Sends GOAWAY to every session, because the router stops; the driver sends what is left and
    /// closes.
    mutating func drain(_ partition: inout Router) {
        partition.finishPushes()
        take(from: &partition)
        let body = Array(#"{"reason":"drain"}"#.utf8)
        for connection in sessions.connections.ids {
            let record = sessions.connections[connection]
            if record.isOpen && record.session.phase.isEstablished {
                partition.outbox.write(to: connection, type: .goaway, seq: 0, body: body)
            }
        }
    }
}
