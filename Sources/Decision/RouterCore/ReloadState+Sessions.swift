internal import ByteStorage
internal import FrameCodec
internal import ReloadModel

/// Sessions: who speaks for a producer or a device.
extension ReloadState {
    /// A session begins; an older one of the same producer or device is ended.
    mutating func openSession(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: ByteView,
        _ out: inout Outbox
    ) {
        makeConnection(connection, &out)
        // Before time is counted: a producer that is new is idle from its last count on.
        let producer = role == .publisher ? producer(app, name) : nil
        producers.timePasses(now: clock.now)
        delivery.connections[connection].app = app
        numbers.session += 1
        delivery.connections[connection].number = numbers.session
        if let producer { return speak(connection, forProducer: producer, &out) }
        delivery.accept(connection, role, lastSeq: 0)
        if role == .device { speak(connection, forDevice: name, app, &out) }
    }

    /// A log has no connections without a session: there, they are opened with these.
    private mutating func makeConnection(_ connection: UInt32, _ out: inout Outbox) {
        delivery.connections.reserve(through: connection, filling: ConnectionRecord())
        let record = delivery.connections[connection]
        if record.isOpen && record.session.phase == .awaitingHello { return }
        if record.session.phase.isEstablished { endSession(connection, at: clock.now, &out) }
        delivery.connections[connection] = ConnectionRecord()
        delivery.connections[connection].isOpen = true
        delivery.countRole(connection)
    }

    private mutating func speak(
        _ connection: UInt32,
        forProducer producer: UInt32,
        _ out: inout Outbox
    ) {
        let old = producers[producer]
        producers.sessionBegan(producer, connection, numbers.session, now: clock.now)
        replace(old.connection, old.session, "producer", &out)
        out.work.comes(producer, &delivery.connections[connection].work)
        delivery.connections[connection].subject = producer
        let lastSeq = producers[producer].lastSeq
        delivery.accept(connection, .publisher, lastSeq: lastSeq)
    }

    private mutating func speak(
        _ connection: UInt32,
        forDevice name: ByteView,
        _ app: AppID,
        _ out: inout Outbox
    ) {
        if let old = delivery.findDeviceSession(app, name) {
            delivery.forgetDeviceSession(old)
            replace(old, delivery.connections[old].number, "device", &out)
        }
        delivery.nameDeviceSession(connection, app, name)
        if let device = delivery.findDevice(app, name) { attach(device, to: connection, &out) }
    }

    private mutating func replace(
        _ connection: UInt32,
        _ session: UInt64,
        _ what: String,
        _ out: inout Outbox
    ) {
        guard connection != ConnectionRecord.none,
            delivery.connections[connection].isOpen,
            delivery.connections[connection].number == session
        else { return }
        evict(
            connection,
            ProtocolError(.sessionReplaced, "a newer session speaks for the same \(what)"),
            &out
        )
    }

    /// Ends a session, or a connection that has none: nobody speaks on it any more.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - time: when; nil if it has ended with its process.
    ///   - out: takes what it leads to.
    mutating func endSession(_ connection: UInt32, at time: Instant?, _ out: inout Outbox) {
        let record = delivery.connections[connection]
        if record.session.phase == .publisher {
            producers.sessionEnded(record.subject, connection, record.number, now: time)
            out.work.leaves(record.subject, record.work, at: clock.now.monotonic)
        }
        delivery.forgetDeviceSession(connection)
        delivery.endSession(connection)
    }

    /// Writes the ACK that is due to a connection, if any.
    mutating func acknowledge(_ connection: UInt32, _ out: inout Outbox) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.ackIsDue, record.session.phase != .ended else { return }
        var frame = OutgoingFrame(connection, .ack)
        let isPublisher = record.session.phase == .publisher
        if isPublisher {
            frame.arrival = record.ackArrival
            frame.coveredCount = UInt32(clamping: record.session.unacknowledged)
        }
        out.frames.append(
            ack: frame,
            seq: record.ackSeq,
            matched: isPublisher ? record.matched : nil
        )
        delivery.connections[connection].ackIsDue = false
        delivery.connections[connection].matched = 0
        delivery.connections[connection].session.acknowledged()
    }

    /// Ends a session because of another one's input: what was accepted is acknowledged first.
    mutating func evict(_ connection: UInt32, _ error: ProtocolError, _ out: inout Outbox) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.session.phase != .ended else { return }
        acknowledge(connection, &out)
        if record.session.phase.isEstablished { out.evicted.append(connection) }
        endSession(connection, at: clock.now, &out)
        out.fail(connection, error)
    }

    /// A producer by its name; a new one if it is not known.
    mutating func producer(_ app: AppID, _ name: ByteView) -> UInt32 {
        producers.find(app, name) ?? producers.insert(app, name, now: clock.now)
    }
}
