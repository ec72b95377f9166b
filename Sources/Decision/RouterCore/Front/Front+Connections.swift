package import Basics
internal import FrameCodec
internal import ReloadScheduling

extension Router {
    /// Sets the router's time; every method with a parameter `now` that changes the router does so
    /// first.
    package mutating func tick(_ now: Instant) {
        var schedule = state.reloads.clock.schedule
        if !state.reloads.clock.isSet {
            schedule = ScheduleClock(now)
            outbox.agenda.start(now: schedule.now)
        } else if schedule.advance(to: now) != nil {
            outbox.observer.counters.clockJumps += 1
        }
        // Not logged by itself: the log puts the time in front of the next input.
        state.reloads.clock.set(now, schedule: schedule)
    }

    /// Begins a connection that was accepted, on a slot that no open connection has.
    package mutating func opened(_ connection: ConnectionSlot, now: Instant) {
        tick(now)
        outbox.work.charge(WorkCost.accept)
        sessions.begin(connection, at: now)
        let generation = sessions.connections[connection].generation
        _ = oldestAwaiting()
        sessions.awaitingHello.append(.init(connection: connection, generation: generation))
        if sessions.awaitingHello.count > limits.connectionsAwaitingHello { evictOldestAwaiting() }
    }

    /// The number of connections that have not said HELLO.
    package var awaitingHelloCount: Int { sessions.awaitingHello.count }

    /// How long the oldest connection that has not said HELLO has had for it; nil if there is none.
    package mutating func longestAwaiting(at now: MonotonicTime) -> Milliseconds? {
        guard let oldest = oldestAwaiting() else { return nil }
        return now - sessions.connections[oldest].lastFrameAt
    }

    /// Ends the oldest connection that has not said HELLO, to make room; returns whether there was
    /// one.
    @discardableResult
    package mutating func evictOldestAwaiting() -> Bool {
        guard let oldest = oldestAwaiting() else { return false }
        sessions.awaitingHello.removeFirst()
        sessions.awaitingHello.count -= 1
        let message = "this silent connection is closed to make room for others"
        fail(oldest, with: ProtocolError(.helloTimeout, message: message))
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
    package mutating func closed(_ connection: ConnectionSlot) {
        let record = sessions.connections[connection]
        precondition(record.isOpen, "the slot \(connection) is not open")
        outbox.work.charge(WorkCost.close)
        // Its pushes are still applied; only their ACK is dropped.
        if intake.unsent.connection == connection { intake.unsent.connection = .none }
        if record.session.phase == .awaitingHello { sessions.awaitingHello.count -= 1 }
        endSession(connection)
        dropPushNames(of: connection)
        sessions.connections[connection].isOpen = false
        _ = outbox.agenda.outputDrained(connection)
    }

    /// Whether an ACK for accepted frames of the connection has still to be sent.
    package func hasUnsentAcknowledgement(_ connection: ConnectionSlot) -> Bool {
        let session = sessions.connections[connection].session
        return session.phase.isEstablished && session.unacknowledged > 0
    }

    /// Stops RELOADs for a connection, because its output is above its limit.
    package mutating func outputFilled(_ connection: ConnectionSlot) {
        if sessions.connections[connection].isOpen { outbox.agenda.outputFilled(connection) }
    }

    /// Lets RELOADs for a connection be sent again, because it accepts output again.
    package mutating func outputDrained(_ connection: ConnectionSlot) {
        guard sessions.connections[connection].isOpen else { return }
        state.reloads.delivery.resume(
            connection,
            apns: state.reloads.apns,
            in: &outbox.agenda
        )
    }

    /// Whether the connection has a session.
    package func isEstablished(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].session.phase.isEstablished
    }

    /// Whether the connection has the session of a publisher.
    package func isPublisher(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].session.phase == .publisher
    }

    // MARK: - Frames that are not whole

    /// How long a connection has been sending one frame; nil if it is not sending one, or if
    /// the rest of its input waits for the router.
    package func partialFrameAge(_ connection: ConnectionSlot, now: Instant) -> Milliseconds? {
        let record = sessions.connections[connection]
        guard record.isOpen, record.partialSince != .zero, record.session.phase != .ended,
            !isPaused(connection)
        else { return nil }
        return now.monotonic - record.partialSince
    }

    /// Ends a connection, because others need the memory in which its input is kept. It is one that
    /// is sending one frame, or that of a publisher of a paused app.
    package mutating func evictInput(_ connection: ConnectionSlot, now: Instant) {
        tick(now)
        let reason =
            isPausedPublisher(connection)
            ? "its app is paused" : "this one has begun before others"
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        let message = "too much input waits to become whole frames and be taken, and \(reason)"
        fail(connection, with: ProtocolError(.frameTimeout, message: message))
    }

    // MARK: - Liveness

    /// Does what is due about once a second: sends PING to publishers of paused apps, adapts the
    /// counts of hot keys, forgets idle producers and devices and old keys of requests, and begins
    /// to check all connections for silence, unless a sweep is still running. Afterwards
    /// `continueSweep` is to be called while `isSweeping`.
    package mutating func beginSweep(now: Instant) {
        tick(now)
        pingPaused()
        watchKeys()
        if !state.fanOuts.isSearching {
            forgetIdleProducers(atMost: RouterLimits.producersPerTick)
            forgetIdleDevices()
        }
        forgetOldRequestKeys(atMost: RouterLimits.requestKeysPerSweep)
        if isSweeping { return }
        sessions.nextSwept = .first
        sessions.sweptTime = now.monotonic - sessions.sweptAt
        sessions.sweptAt = now.monotonic
    }

    /// Whether a sweep has connections left to check, in this tick or the next.
    package var isSweeping: Bool { sessions.nextSwept != nil }

    /// Checks the next connections for silence, up to the number that one tick may check:
    /// connections that were opened together become silent together, and their PINGs in a single
    /// tick would make that tick long, and delay all pushes. `isHeard` says whether the driver
    /// reads from a connection now; otherwise its silence means nothing.
    package mutating func continueSweep(now: Instant, isHeard: (ConnectionSlot) -> Bool) {
        tick(now)
        guard var next = sessions.nextSwept else { return }
        var left = RouterLimits.sweptPerTick
        let actionLimit = outbox.frames.count + RouterLimits.pingsPerTick
        while sessions.connections.has(next), left > 0, outbox.frames.count < actionLimit {
            if sessions.connections[next].isOpen { sweep(next, isHeard: isHeard) }
            next = next.successor
            left -= 1
        }
        sessions.nextSwept = sessions.connections.has(next) ? next : nil
    }

    private mutating func sweep(_ connection: ConnectionSlot, isHeard: (ConnectionSlot) -> Bool) {
        let record = sessions.connections[connection]
        let silence = state.reloads.clock.now.monotonic - record.lastFrameAt
        if record.session.phase == .ended { return }
        if record.admittedUntil <= state.reloads.clock.now.wall {
            // While its last pushes are searched for, it waits for the next sweep.
            if intake.unsent.connection == connection { return }
            let end = record.admittedUntil.rfc3339
            let message = "the credential of this session was good until \(end)"
            return fail(connection, with: ProtocolError(.tokenExpired, message: message))
        }
        // The silence of a connection means nothing while the router does not read from it, because
        // its pushes are being applied or its app is paused. A short pause of all connections is no
        // such reason.
        if !isHeard(connection) || isReadingPaused(connection) {
            forgiveSilence(connection)
            return
        }
        if record.session.phase == .awaitingHello {
            if silence >= limits.helloTimeout {
                sessions.awaitingHello.count -= 1
                let message = "no HELLO within \(limits.helloTimeout) ms"
                fail(connection, with: ProtocolError(.helloTimeout, message: message))
            }
            return
        }
        if record.partialSince != .zero
            && state.reloads.clock.now.monotonic - record.partialSince >= limits.frameTimeout
        {
            let message = "a frame that began \(limits.frameTimeout) ms ago is not complete"
            return fail(connection, with: ProtocolError(.frameTimeout, message: message))
        }
        let pings = Int64(record.pingsUnanswered)
        if silence < limits.pingInterval * (pings + 1) { return }
        if pings == 2 {
            let error = ProtocolError(.pingTimeout, message: "two PINGs were not answered")
            return fail(connection, with: error)
        }
        sessions.connections[connection].pingsUnanswered += 1
        outbox.write(to: connection, type: .ping)
    }

    /// Moves the start of a connection's silence by the time since the last sweep, because the
    /// connection is not read from now.
    ///
    /// Each sweep is a sample: a connection that is read from half of the time is forgiven half of
    /// its silence.
    private mutating func forgiveSilence(_ connection: ConnectionSlot) {
        let record = sessions.connections[connection]
        sessions.connections[connection].lastFrameAt =
            min(state.reloads.clock.now.monotonic, record.lastFrameAt + sessions.sweptTime)
        if record.partialSince == .zero { return }
        sessions.connections[connection].partialSince =
            min(state.reloads.clock.now.monotonic, record.partialSince + sessions.sweptTime)
    }

    // MARK: - Drain

    /// Sends GOAWAY to every session, because the router stops; the driver sends what is left and
    /// closes.
    package mutating func drain() {
        finishPushes()
        let body = Array(#"{"reason":"drain"}"#.utf8)
        for connection in sessions.connections.ids {
            let record = sessions.connections[connection]
            if record.isOpen && record.session.phase.isEstablished {
                outbox.write(to: connection, type: .goaway, seq: 0, body: body)
            }
        }
    }
}
