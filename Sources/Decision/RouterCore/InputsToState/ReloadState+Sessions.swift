internal import Basics
internal import FrameCodec

/// Sessions: which connection speaks for a producer or a device.
extension ReloadState {
    /// Begins a session; an older one of the same producer or device is ended.
    mutating func openSession(
        on connection: ConnectionSlot,
        role: Peer,
        app: AppID,
        name: ByteView,
        into out: inout Outbox
    ) {
        delivery.sessions.reserve(through: connection, filling: SessionRecord())
        if delivery.sessions[connection].role != nil {
            endSession(connection, at: clock.now, into: &out)
        }
        delivery.sessions[connection] = SessionRecord()
        // A producer that is added here is idle until `speak` makes the session speak for it.
        let producer =
            role == .publisher
            ? publishers.producer(of: app, named: name, clock: &clock) : nil
        clock.countRunningTime()
        delivery.sessions[connection].app = app
        numbers.session += 1
        delivery.sessions[connection].number = numbers.session
        if let producer { return speak(connection, forProducer: producer, into: &out) }
        delivery.beginSession(connection, as: role)
        if role == .device { speak(connection, forDevice: name, of: app, into: &out) }
    }

    private mutating func speak(
        _ connection: ConnectionSlot,
        forProducer producer: ProducerID,
        into out: inout Outbox
    ) {
        assert(publishers.producers.isKnown(producer) && delivery.sessions[connection].role == nil)
        let old = publishers.producers[producer]
        publishers.producers.sessionBegan(
            producer,
            on: connection,
            session: numbers.session,
            now: clock.now,
            counting: &clock.running
        )
        replace(old.connection, session: old.session, of: "producer", into: &out)
        delivery.sessions[connection].producer = producer
        delivery.beginSession(connection, as: .publisher)
    }

    private mutating func speak(
        _ connection: ConnectionSlot,
        forDevice name: ByteView,
        of app: AppID,
        into out: inout Outbox
    ) {
        if let old = delivery.findDeviceSession(of: app, named: name) {
            delivery.forgetDeviceSession(old)
            replace(old, session: delivery.sessions[old].number, of: "device", into: &out)
        }
        delivery.nameDeviceSession(connection, app: app, device: name)
        if let device = delivery.findDevice(of: app, named: name) {
            attach(device, to: connection, into: &out)
            heard(of: device)
        }
    }

    private mutating func replace(
        _ connection: ConnectionSlot,
        session: UInt64,
        of what: String,
        into out: inout Outbox
    ) {
        guard !connection.isNone, hasSession(connection, number: session) else {
            return
        }
        evict(
            connection,
            with: ProtocolError(
                .sessionReplaced,
                message: "a newer session speaks for the same \(what)"
            ),
            into: &out
        )
    }

    /// Whether this session is still open on its connection.
    func hasSession(_ connection: ConnectionSlot, number session: UInt64) -> Bool {
        let record = delivery.sessions[connection]
        return record.number == session && record.role != nil
    }

    /// Ends a session.
    ///
    /// - Parameters:
    ///   - connection: the session's connection.
    ///   - time: when it ended; nil if it ended with its process.
    ///   - out: collects frames, timers and counts that result.
    mutating func endSession(
        _ connection: ConnectionSlot,
        at time: Instant?,
        into out: inout Outbox
    ) {
        let record = delivery.sessions[connection]
        let device = ownDevice(of: connection)
        if record.role == .publisher {
            publishers.ended(record, on: connection, at: time, counting: &clock.running)
        }
        delivery.forgetDeviceSession(connection)
        delivery.endSession(connection)
        if let device {
            heard(of: device, hasEnded: time == nil)
            detached(device, into: &out)
        }
    }

    /// The stored device for which a device's own session speaks; nil if there is none, or if a
    /// newer session speaks for it.
    private func ownDevice(of connection: ConnectionSlot) -> DeviceID? {
        let record = delivery.sessions[connection]
        // The name is forgotten first if a newer session of the device takes this one's place.
        if record.role != .device || record.name == ByteArena.none { return nil }
        let name = unsafe delivery.names.view(record.name, count: Int(record.nameCount))
        guard let device = delivery.findDevice(of: record.app, named: name),
            delivery.devices[device].connection == connection,
            delivery.devices[device].session == record.number
        else { return nil }
        return device
    }

    /// Ends a session because of an input that is not its own; its peer gets `error`.
    mutating func evict(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        into out: inout Outbox
    ) {
        if delivery.sessions[connection].role == nil { return }
        endSession(connection, at: clock.now, into: &out)
        out.evicted.append(Outbox.Eviction(connection: connection, error: error))
    }
}
