internal import ByteStorage
internal import FrameCodec
package import ReloadModel

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
    /// A connection was accepted; the driver gives it a slot that no open connection has.
    package mutating func opened(_ connection: UInt32, now: Instant) {
        self.now = now
        let index = Int(connection)
        while delivery.connections.count <= index {
            delivery.connections.append(ConnectionRecord())
        }
        precondition(!delivery.connections[index].isOpen, "the slot \(connection) is taken")
        var record = ConnectionRecord()
        record.generation = delivery.connections[index].generation &+ 1
        record.isOpen = true
        record.lastFrameAt = now.monotonic
        delivery.connections[index] = record
        awaitingHello.append(.init(connection: connection, generation: record.generation))
        if awaitingHello.count > limits.connectionsAwaitingHello { evictOldestAwaiting() }
    }

    /// Ends the oldest connection that has not said HELLO, to make room.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func evictOldestAwaiting() -> Bool {
        let connections = delivery.connections
        let oldest = awaitingHello.oldest { entry in
            let record = connections[Int(entry.connection)]
            return record.isOpen && record.generation == entry.generation
                && record.session.phase == .awaitingHello
        }
        guard let oldest else { return false }
        awaitingHello.count -= 1
        fail(
            oldest.connection,
            ProtocolError(.helloTimeout, "other connections need the room of a silent one"))
        return true
    }

    /// The connection is gone: its slot may be given out again.
    package mutating func closed(_ connection: UInt32) {
        let index = Int(connection)
        let record = delivery.connections[index]
        precondition(record.isOpen, "the slot \(connection) is not open")
        matchQueued()
        if record.session.phase == .awaitingHello { awaitingHello.count -= 1 }
        if record.name != ConnectionRecord.none {
            delivery.names.free(record.name, Int(record.nameCount))
        }
        delivery.connections[index].isOpen = false
        delivery.connections[index].session.end()
        delivery.waiting.removeValue(forKey: connection)
    }

    /// The connection's output is above its limit: RELOADs for it wait from now on.
    package mutating func filled(_ connection: UInt32) {
        delivery.connections[Int(connection)].isWritable = false
    }

    /// The connection takes output again.
    package mutating func drained(_ connection: UInt32) {
        guard delivery.connections[Int(connection)].isOpen else { return }
        delivery.resume(connection)
    }

    /// Whether the connection is a publisher, which is not read from while the router is full.
    package func isPublisher(_ connection: UInt32) -> Bool {
        delivery.connections[Int(connection)].session.phase == .publisher
    }

    /// All frames that one read brought have been received.
    ///
    /// - Parameter hasPartialFrame: whether the input ends within a frame.
    package mutating func readEnded(_ connection: UInt32, hasPartialFrame: Bool, now: Instant) {
        self.now = now
        matchQueued()
        let index = Int(connection)
        if !hasPartialFrame {
            delivery.connections[index].partialSince = 0
        } else if delivery.connections[index].partialSince == 0 {
            delivery.connections[index].partialSince = now.monotonic
        }
    }

    // MARK: - Liveness

    /// Looks at every connection's silence; to be called about once a second.
    ///
    /// - Parameters:
    ///   - now: the clocks of this turn.
    ///   - isHeard: whether the driver reads from a connection now; the silence of one that it
    ///     does not read from means nothing.
    package mutating func sweep(now: Instant, isHeard: (UInt32) -> Bool) {
        self.now = now
        for index in delivery.connections.indices where delivery.connections[index].isOpen {
            sweep(UInt32(index), isHeard)
        }
    }

    private mutating func sweep(_ connection: UInt32, _ isHeard: (UInt32) -> Bool) {
        let record = delivery.connections[Int(connection)]
        let silence = now.monotonic - record.lastFrameAt
        if record.session.phase == .ended { return }
        if record.session.phase == .awaitingHello {
            if silence >= limits.helloTimeout {
                awaitingHello.count -= 1
                fail(
                    connection,
                    ProtocolError(
                        .helloTimeout, "no HELLO within \(limits.helloTimeout) ms"))
            }
            return
        }
        if !isHeard(connection) {
            delivery.connections[Int(connection)].lastFrameAt = now.monotonic
            delivery.connections[Int(connection)].partialSince = 0
            return
        }
        if record.partialSince != 0 && now.monotonic - record.partialSince >= limits.frameTimeout {
            fail(
                connection,
                ProtocolError(
                    .frameTimeout,
                    "a frame that began \(limits.frameTimeout) ms ago is not complete"))
            return
        }
        let pings = Int64(record.pingsUnanswered)
        if silence < limits.pingInterval * (pings + 1) { return }
        if pings == 2 {
            fail(connection, ProtocolError(.pingTimeout, "two PINGs were not answered"))
            return
        }
        delivery.connections[Int(connection)].pingsUnanswered += 1
        actions.append(.ping(connection: connection))
    }

    // MARK: - Drain

    /// Tells every session that the router goes away; the driver flushes and closes.
    package mutating func drain() {
        matchQueued()
        let body = Array(#"{"reason":"drain"}"#.utf8)
        for index in delivery.connections.indices {
            let record = delivery.connections[index]
            if record.isOpen && record.session.phase.isEstablished {
                write(UInt32(index), .goaway, seq: 0, body)
            }
        }
    }
}
