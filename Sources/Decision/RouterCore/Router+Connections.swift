internal import DataStructures
internal import FrameCodec
package import ReloadModel
internal import ReloadScheduling

extension Router {
    /// Takes over the clocks; every call with a time does so first.
    package mutating func tick(_ now: Instant) {
        var schedule = state.clock.schedule
        if !state.clock.isSet {
            schedule = ScheduleClock(now)
            outbox.agenda.start(now: schedule.now)
        } else if schedule.advance(to: now) != nil {
            outbox.observer.counters.clockJumps += 1
        }
        // Not logged by itself: the log puts the time in front of the next input.
        state.setClock(now, schedule)
    }

    /// A connection was accepted; the driver gives it a slot that no open connection has.
    package mutating func opened(_ connection: UInt32, now: Instant) {
        tick(now)
        outbox.work.charge(WorkCost.accept)
        sessions.begin(connection, at: now)
        let generation = sessions.connections[connection].generation
        while let oldest = sessions.awaitingHello.first, !isAwaitingHello(oldest) {
            sessions.awaitingHello.removeFirst()
        }
        sessions.awaitingHello.append(.init(connection: connection, generation: generation))
        if sessions.awaitingHello.count > limits.connectionsAwaitingHello { evictOldestAwaiting() }
    }

    /// Ends the oldest connection that has not said HELLO, to make room.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func evictOldestAwaiting() -> Bool {
        while let oldest = sessions.awaitingHello.first {
            sessions.awaitingHello.removeFirst()
            guard isAwaitingHello(oldest) else { continue }
            sessions.awaitingHello.count -= 1
            fail(
                oldest.connection,
                ProtocolError(.helloTimeout, "other connections need the room of a silent one")
            )
            return true
        }
        return false
    }

    private func isAwaitingHello(_ entry: AwaitingQueue.Entry) -> Bool {
        let record = sessions.connections[entry.connection]
        return record.isOpen && record.generation == entry.generation
            && record.session.phase == .awaitingHello
    }

    /// The connection is gone: its slot may be given out again.
    package mutating func closed(_ connection: UInt32) {
        let record = sessions.connections[connection]
        precondition(record.isOpen, "the slot \(connection) is not open")
        outbox.work.charge(WorkCost.close)
        // Its pushes are still applied; only their ACK is dropped.
        if intake.owed.connection == connection { intake.owed.connection = ConnectionRecord.none }
        if record.session.phase == .awaitingHello { sessions.awaitingHello.count -= 1 }
        endSession(connection)
        sessions.connections[connection].isOpen = false
        _ = outbox.agenda.removeWaiting(for: connection)
    }

    /// Whether frames were accepted on the connection whose ACK is still to come.
    package func owesAcknowledgement(_ connection: UInt32) -> Bool {
        let session = sessions.connections[connection].session
        return session.phase.isEstablished && session.unacknowledged > 0
    }

    /// The connection's output is above its limit: RELOADs for it wait from now on.
    package mutating func filled(_ connection: UInt32) {
        sessions.connections[connection].isWritable = false
    }

    /// The connection takes output again.
    package mutating func drained(_ connection: UInt32) {
        guard sessions.connections[connection].isOpen else { return }
        sessions.connections[connection].isWritable = true
        state.delivery.resume(connection, &outbox.agenda)
    }

    /// Whether the connection is a publisher, which is not read from while the router is full.
    package func isPublisher(_ connection: UInt32) -> Bool {
        sessions.connections[connection].session.phase == .publisher
    }

    // MARK: - Frames that are not whole

    /// For how long a connection has been sending one frame, in ms; nil if it is not, or if the rest
    /// of what it has sent waits for the router.
    package func partialFrameAge(_ connection: UInt32, now: Instant) -> Int64? {
        let record = sessions.connections[connection]
        guard record.isOpen, record.partialSince != 0, record.session.phase != .ended,
            !holds(connection)
        else { return nil }
        return now.monotonic - record.partialSince
    }

    /// Ends a connection of which input is kept, because others need the memory.
    ///
    /// - Parameters:
    ///   - connection: one that is sending one frame, or a paused app's publisher.
    ///   - now: the clocks of this turn.
    package mutating func evictInput(_ connection: UInt32, now: Instant) {
        tick(now)
        let reason =
            isPausedPublisher(connection)
            ? "its app is paused" : "this one has begun before others"
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        fail(
            connection,
            ProtocolError(
                .frameTimeout,
                "too much input waits to become whole frames and be taken, and \(reason)"
            )
        )
    }

    // MARK: - Liveness

    /// Begins to look at every connection's silence, unless that is still under way; to be called
    /// about once a second, and then `continueSweep` while `isSweeping`.
    ///
    /// - Parameter now: the clocks of this turn.
    package mutating func beginSweep(now: Instant) {
        tick(now)
        pingPaused()
        watchKeys()
        if !state.fanOuts.isSearching { forgetIdleProducers(atMost: RouterLimits.producersPerTurn) }
        if isSweeping { return }
        sessions.nextSwept = 0
        sessions.sweptTime = now.monotonic - sessions.sweptAt
        sessions.sweptAt = now.monotonic
    }

    /// Whether connections are left to look at, in this turn or the next.
    package var isSweeping: Bool { sessions.nextSwept != nil }

    /// Looks at the silence of the next connections: as many as a turn may.
    ///
    /// Connections that were opened together become silent together. Their PINGs in a single turn would make
    /// that turn long, and delay all pushes.
    ///
    /// - Parameters:
    ///   - now: the clocks of this turn.
    ///   - isHeard: whether the driver reads from a connection now; the silence of one that it
    ///     does not read from means nothing.
    package mutating func continueSweep(now: Instant, isHeard: (UInt32) -> Bool) {
        tick(now)
        guard var next = sessions.nextSwept else { return }
        let end = min(sessions.connections.end, next + RouterLimits.sweptPerTurn)
        let actionLimit = outbox.frames.count + RouterLimits.pingsPerTurn
        while next < end && outbox.frames.count < actionLimit {
            if sessions.connections[next].isOpen { sweep(next, isHeard) }
            next += 1
        }
        sessions.nextSwept = next < sessions.connections.end ? next : nil
    }

    private mutating func sweep(_ connection: UInt32, _ isHeard: (UInt32) -> Bool) {
        let record = sessions.connections[connection]
        let silence = state.clock.now.monotonic - record.lastFrameAt
        if record.session.phase == .ended { return }
        // The silence of a connection means nothing while the router does not read from it: its pushes are
        // being applied, or its app is paused. A short stop of all reading does not count as that.
        if !isHeard(connection) || isNotReadFrom(connection) {
            forgiveSilence(connection)
            return
        }
        if record.session.phase == .awaitingHello {
            if silence >= limits.helloTimeout {
                sessions.awaitingHello.count -= 1
                fail(
                    connection,
                    ProtocolError(
                        .helloTimeout,
                        "no HELLO within \(limits.helloTimeout) ms"
                    )
                )
            }
            return
        }
        if record.partialSince != 0
            && state.clock.now.monotonic - record.partialSince >= limits.frameTimeout
        {
            fail(
                connection,
                ProtocolError(
                    .frameTimeout,
                    "a frame that began \(limits.frameTimeout) ms ago is not complete"
                )
            )
            return
        }
        let pings = Int64(record.pingsUnanswered)
        if silence < limits.pingInterval * (pings + 1) { return }
        if pings == 2 {
            fail(connection, ProtocolError(.pingTimeout, "two PINGs were not answered"))
            return
        }
        sessions.connections[connection].pingsUnanswered += 1
        outbox.write(connection, .ping)
    }

    /// Moves the start of a connection's silence by the time since the last sweep, because the driver
    /// does not read from the connection now.
    ///
    /// A sample a sweep: a connection that is read from half of the time is forgiven half of its silence.
    private mutating func forgiveSilence(_ connection: UInt32) {
        let record = sessions.connections[connection]
        sessions.connections[connection].lastFrameAt =
            min(state.clock.now.monotonic, record.lastFrameAt + sessions.sweptTime)
        if record.partialSince == 0 { return }
        sessions.connections[connection].partialSince =
            min(state.clock.now.monotonic, record.partialSince + sessions.sweptTime)
    }

    // MARK: - Drain

    /// Tells every session that the router goes away; the driver flushes and closes.
    package mutating func drain() {
        finishPushes()
        let body = Array(#"{"reason":"drain"}"#.utf8)
        for connection in 0..<sessions.connections.end {
            let record = sessions.connections[connection]
            if record.isOpen && record.session.phase.isEstablished {
                outbox.write(connection, .goaway, seq: 0, body)
            }
        }
    }
}
