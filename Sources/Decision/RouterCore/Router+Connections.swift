internal import ByteStorage
internal import FrameCodec
package import ReloadModel
internal import ReloadScheduling

extension Session.Phase {
    /// Whether HELLO was accepted and the session has not ended.
    var isEstablished: Bool {
        switch self {
        case .publisher, .device, .gateway: true
        case .awaitingHello, .ended: false
        }
    }
}

extension Router {
    /// Takes over what the clocks show; whatever has a time does so first.
    package mutating func tick(_ now: Instant) {
        self.now = now
        if !hasClock {
            hasClock = true
            scheduleClock = ScheduleClock(now)
            agenda.start(now: scheduleClock.now)
        } else if scheduleClock.advance(to: now) != nil {
            counters.clockJumps += 1
        }
    }

    /// A connection was accepted; the driver gives it a slot that no open connection has.
    package mutating func opened(_ connection: UInt32, now: Instant) {
        tick(now)
        work.charge(WorkCost.accept)
        begin(connection)
        let generation = delivery.connections[connection].generation
        while let oldest = awaitingHello.first, !isAwaitingHello(oldest) {
            awaitingHello.removeFirst()
        }
        awaitingHello.append(.init(connection: connection, generation: generation))
        if awaitingHello.count > limits.connectionsAwaitingHello { evictOldestAwaiting() }
    }

    /// Gives a slot a record of its own.
    mutating func begin(_ connection: UInt32) {
        delivery.connections.reserve(through: connection, filling: ConnectionRecord())
        precondition(!delivery.connections[connection].isOpen, "the slot \(connection) is taken")
        var record = ConnectionRecord()
        record.generation = delivery.connections[connection].generation &+ 1
        record.isOpen = true
        record.lastFrameAt = now.monotonic
        delivery.connections[connection] = record
        delivery.countRole(connection)
    }

    /// Ends the oldest connection that has not said HELLO, to make room.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func evictOldestAwaiting() -> Bool {
        while let oldest = awaitingHello.first {
            awaitingHello.removeFirst()
            guard isAwaitingHello(oldest) else { continue }
            awaitingHello.count -= 1
            fail(
                oldest.connection,
                ProtocolError(.helloTimeout, "other connections need the room of a silent one")
            )
            return true
        }
        return false
    }

    private func isAwaitingHello(_ entry: AwaitingQueue.Entry) -> Bool {
        let record = delivery.connections[entry.connection]
        return record.isOpen && record.generation == entry.generation
            && record.session.phase == .awaitingHello
    }

    /// The connection is gone: its slot may be given out again.
    package mutating func closed(_ connection: UInt32) {
        let record = delivery.connections[connection]
        precondition(record.isOpen, "the slot \(connection) is not open")
        work.charge(WorkCost.close)
        if delivery.batch.connection == connection {
            // What it pushed is still handed out.
            delivery.batch.connection = ConnectionRecord.none
        }
        if record.session.phase == .awaitingHello { awaitingHello.count -= 1 }
        if record.session.phase.isEstablished {
            capture.recordEnd(connection)
            commit(.sessionEnded(connection: connection))
        } else {
            endSession(connection, at: now)
        }
        delivery.connections[connection].isOpen = false
        _ = agenda.removeWaiting(for: connection)
    }

    /// Whether frames were accepted on the connection whose ACK is still to come.
    package func owesAcknowledgement(_ connection: UInt32) -> Bool {
        let session = delivery.connections[connection].session
        return session.phase.isEstablished && session.unacknowledged > 0
    }

    /// The connection's output is above its limit: RELOADs for it wait from now on.
    package mutating func filled(_ connection: UInt32) {
        delivery.connections[connection].isWritable = false
    }

    /// The connection takes output again.
    package mutating func drained(_ connection: UInt32) {
        guard delivery.connections[connection].isOpen else { return }
        delivery.resume(connection, &agenda)
    }

    /// Whether the connection is a publisher, which is not read from while the router is full.
    package func isPublisher(_ connection: UInt32) -> Bool {
        delivery.connections[connection].session.phase == .publisher
    }

    // MARK: - Frames that are not whole

    /// For how long a connection has been sending one frame, in ms; nil if it is not, or if the rest
    /// of what it has sent waits for the router.
    package func partialFrameAge(_ connection: UInt32, now: Instant) -> Int64? {
        let record = delivery.connections[connection]
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
        if delivery.connections[connection].session.phase == .awaitingHello {
            awaitingHello.count -= 1
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
        if !isMatching { forgetIdleProducers(atMost: RouterLimits.producersPerTurn) }
        if isSweeping { return }
        nextSwept = 0
        sweptTime = now.monotonic - sweptAt
        sweptAt = now.monotonic
    }

    /// Whether connections are left to look at, in this turn or the next.
    package var isSweeping: Bool { nextSwept != nil }

    /// Looks at the silence of the next connections: as many as a turn may.
    ///
    /// Those that were opened together are silent from the same time on. Their PINGs would make a long
    /// turn, and everybody's pushes wait for its end.
    ///
    /// - Parameters:
    ///   - now: the clocks of this turn.
    ///   - isHeard: whether the driver reads from a connection now; the silence of one that it
    ///     does not read from means nothing.
    package mutating func continueSweep(now: Instant, isHeard: (UInt32) -> Bool) {
        tick(now)
        guard var next = nextSwept else { return }
        let end = min(delivery.connections.end, next + RouterLimits.sweptPerTurn)
        let actionLimit = actions.count + RouterLimits.pingsPerTurn
        while next < end && actions.count < actionLimit {
            if delivery.connections[next].isOpen { sweep(next, isHeard) }
            next += 1
        }
        nextSwept = next < delivery.connections.end ? next : nil
    }

    private mutating func sweep(_ connection: UInt32, _ isHeard: (UInt32) -> Bool) {
        let record = delivery.connections[connection]
        let silence = now.monotonic - record.lastFrameAt
        if record.session.phase == .ended { return }
        // One whose pushes are being handed out is owed their ACK before anything else. That others
        // are not listened to for a moment is no reason to forgive who says nothing.
        if !isHeard(connection) || isNotReadFrom(connection) {
            forgiveSilence(connection)
            return
        }
        if record.session.phase == .awaitingHello {
            if silence >= limits.helloTimeout {
                awaitingHello.count -= 1
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
        if record.partialSince != 0 && now.monotonic - record.partialSince >= limits.frameTimeout {
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
        delivery.connections[connection].pingsUnanswered += 1
        actions.append(.ping(connection: connection))
    }

    /// Moves the start of a connection's silence by the time since the last sweep, because the driver
    /// does not read from the connection now.
    ///
    /// A sample a sweep: a connection that is read from half of the time is forgiven half of its silence.
    private mutating func forgiveSilence(_ connection: UInt32) {
        let record = delivery.connections[connection]
        delivery.connections[connection].lastFrameAt =
            min(now.monotonic, record.lastFrameAt + sweptTime)
        if record.partialSince == 0 { return }
        delivery.connections[connection].partialSince =
            min(now.monotonic, record.partialSince + sweptTime)
    }

    // MARK: - Drain

    /// Tells every session that the router goes away; the driver flushes and closes.
    package mutating func drain() {
        finishPushes()
        let body = Array(#"{"reason":"drain"}"#.utf8)
        for connection in 0..<delivery.connections.end {
            let record = delivery.connections[connection]
            if record.isOpen && record.session.phase.isEstablished {
                write(connection, .goaway, seq: 0, body)
            }
        }
    }
}
