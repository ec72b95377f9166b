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
        reloads.delivery.sessions.reserve(through: connection, filling: SessionRecord())
        if reloads.delivery.sessions[connection].role != nil {
            endSession(connection, at: reloads.clock.now, into: &out)
        }
        reloads.delivery.sessions[connection] = SessionRecord()
        // A producer that is added here is idle until `speak` makes the session speak for it.
        let producer =
            role == .publisher
            ? publishers.producer(of: app, named: name, clock: &reloads.clock) : nil
        reloads.clock.countRunningTime()
        reloads.delivery.sessions[connection].app = app
        reloads.numbers.session += 1
        reloads.delivery.sessions[connection].number = reloads.numbers.session
        if let producer { return speak(connection, forProducer: producer, into: &out) }
        reloads.delivery.beginSession(connection, as: role)
        if role == .device { speak(connection, forDevice: name, of: app, into: &out) }
    }

    private mutating func speak(
        _ connection: ConnectionSlot,
        forProducer producer: ProducerID,
        into out: inout Outbox
    ) {
        assert(
            publishers.producers.isKnown(producer)
                && reloads.delivery.sessions[connection].role == nil
        )
        let old = publishers.producers[producer]
        publishers.producers.sessionBegan(
            producer,
            on: connection,
            session: reloads.numbers.session,
            now: reloads.clock.now,
            counting: &reloads.clock.running
        )
        replace(old.connection, session: old.session, of: "producer", into: &out)
        reloads.delivery.sessions[connection].producer = producer
        reloads.delivery.beginSession(connection, as: .publisher)
    }

    private mutating func speak(
        _ connection: ConnectionSlot,
        forDevice name: ByteView,
        of app: AppID,
        into out: inout Outbox
    ) {
        if let old = reloads.delivery.findDeviceSession(of: app, named: name) {
            reloads.delivery.forgetDeviceSession(old)
            replace(old, session: reloads.delivery.sessions[old].number, of: "device", into: &out)
        }
        reloads.delivery.nameDeviceSession(connection, app: app, device: name)
        if let device = reloads.delivery.findDevice(of: app, named: name) {
            reloads.attach(device, to: connection, into: &out)
            reloads.delivery.heard(of: device, clock: &reloads.clock)
        }
    }

    private mutating func replace(
        _ connection: ConnectionSlot,
        session: UInt64,
        of what: String,
        into out: inout Outbox
    ) {
        guard !connection.isNone, reloads.delivery.hasSession(connection, number: session) else {
            return
        }
        let message = "a newer session speaks for the same \(what)"
        evict(connection, with: ProtocolError(.sessionReplaced, message: message), into: &out)
    }

    /// Ends a session; the time is nil if it ended with its process.
    mutating func endSession(
        _ connection: ConnectionSlot,
        at time: Instant?,
        into out: inout Outbox
    ) {
        publishers.ended(
            reloads.delivery.sessions[connection],
            on: connection,
            at: time,
            counting: &reloads.clock.running
        )
        reloads.endSession(connection, at: time, into: &out)
    }

    /// Ends a session because of an input that is not its own; its peer gets `error`.
    mutating func evict(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        into out: inout Outbox
    ) {
        publishers.ended(
            reloads.delivery.sessions[connection],
            on: connection,
            at: reloads.clock.now,
            counting: &reloads.clock.running
        )
        reloads.evict(connection, with: error, into: &out)
    }
}
