internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// Sessions: which connection is the session of a producer or a device.
extension ReloadState {
    /// A session begins; an older one of the same producer or device is ended.
    mutating func openSession(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: ByteView,
        _ out: inout Outbox
    ) {
        delivery.sessions.reserve(through: connection, filling: SessionRecord())
        if delivery.sessions[connection].role != nil { endSession(connection, at: clock.now) }
        delivery.sessions[connection] = SessionRecord()
        // Before time is counted: a producer that is new is idle from its last count on.
        let producer = role == .publisher ? producer(app, name) : nil
        producers.timePasses(now: clock.now)
        delivery.sessions[connection].app = app
        numbers.session += 1
        delivery.sessions[connection].number = numbers.session
        if let producer { return speak(connection, forProducer: producer, &out) }
        delivery.beginSession(connection, role)
        if role == .device { speak(connection, forDevice: name, app, &out) }
    }

    private mutating func speak(
        _ connection: UInt32,
        forProducer producer: UInt32,
        _ out: inout Outbox
    ) {
        let old = producers[producer]
        producers.sessionBegan(producer, connection, numbers.session, now: clock.now)
        replace(old.connection, old.session, "producer", &out)
        delivery.sessions[connection].subject = producer
        delivery.beginSession(connection, .publisher)
    }

    private mutating func speak(
        _ connection: UInt32,
        forDevice name: ByteView,
        _ app: AppID,
        _ out: inout Outbox
    ) {
        if let old = delivery.findDeviceSession(app, name) {
            delivery.forgetDeviceSession(old)
            replace(old, delivery.sessions[old].number, "device", &out)
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
        guard connection != SessionRecord.none, hasSession(connection, session) else { return }
        evict(
            connection,
            ProtocolError(.sessionReplaced, "a newer session speaks for the same \(what)"),
            &out
        )
    }

    /// Whether this session is there and has not ended.
    func hasSession(_ connection: UInt32, _ session: UInt64) -> Bool {
        let record = delivery.sessions[connection]
        return record.number == session && record.role != nil
    }

    /// Ends a session.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - time: when; nil if it has ended with its process.
    mutating func endSession(_ connection: UInt32, at time: Instant?) {
        let record = delivery.sessions[connection]
        if record.role == .publisher {
            producers.sessionEnded(record.subject, connection, record.number, now: time)
        }
        delivery.forgetDeviceSession(connection)
        delivery.endSession(connection)
    }

    /// Ends a session because of another one's input.
    mutating func evict(_ connection: UInt32, _ error: ProtocolError, _ out: inout Outbox) {
        if delivery.sessions[connection].role == nil { return }
        endSession(connection, at: clock.now)
        out.evicted.append(Outbox.Eviction(connection: connection, error: error))
    }

    /// A producer by its name; a new one if it is not known.
    mutating func producer(_ app: AppID, _ name: ByteView) -> UInt32 {
        producers.find(app, name) ?? producers.insert(app, name, now: clock.now)
    }
}
