internal import Basics
internal import Credentials
internal import FrameCodec

/// Sessions, as a partition has them: who speaks for a producer or for devices.
extension Router {
    /// What a front needs of a session that has begun.
    struct OpenedSession: BitwiseCopyable {
        /// Its number.
        var number: UInt64
        /// The number of a producer's last accepted push; 0 for none.
        var lastSeq: UInt64
        /// The number of a producer's last refused push that is known; 0 for none.
        var rejectedSeq: UInt64
    }

    /// Begins a session; an older one of the same producer or device is ended.
    ///
    /// - Throws: why there is no room for it.
    mutating func openSession(
        on connection: ConnectionSlot,
        as role: Peer,
        of app: AppID,
        named name: [UInt8]
    ) throws(ProtocolError) -> OpenedSession {
        try state.checkSession(role, named: name, of: app, into: &outbox)
        try name.withByteView { (name) throws(ProtocolError) in
            if role == .publisher { try admitProducer(of: app, named: name) }
            capture.record(
                on: connection,
                role: role,
                app: state.reloads.catalog.apps[app].declaration.app,
                name: name
            )
            commit(.sessionOpened(connection: connection, role: role, app: app, name: name))
        }
        let session = state.reloads.delivery.sessions[connection]
        var opened = OpenedSession(number: session.number, lastSeq: 0, rejectedSeq: 0)
        if role == .publisher {
            opened.lastSeq = state.publishers.producers[session.producer].lastSeq
            let rejections = state.publishers.producers.rejections[session.producer]
            opened.rejectedSeq = rejections.known.last?.seq ?? 0
        }
        return opened
    }

    /// Ends a session.
    mutating func endSession(_ connection: ConnectionSlot) {
        capture.recordEnd(connection)
        commit(.sessionEnded(connection: connection))
    }

    /// Forgets a connection, whose number may be used again. Its pushes are still applied; only
    /// their ACK is dropped.
    mutating func forget(_ connection: ConnectionSlot) {
        if isMatching(for: connection) { intake.unsent.session = .none }
        dropPushNames(of: connection)
        _ = outbox.agenda.outputDrained(connection)
    }

    /// Whether matches of pushes of a connection are being searched for.
    func isMatching(for connection: ConnectionSlot) -> Bool {
        intake.unsent.session.connection == connection
    }

    /// Adds to the WELCOME of a publisher which pushes above `acked` were rejected, and how many up
    /// to it are unknown here: an older store was put in the place of the one that had them.
    mutating func addAnswers(
        after acked: UInt64,
        of connection: ConnectionSlot,
        to welcome: inout WelcomeMessage
    ) {
        let producer = state.reloads.delivery.sessions[connection].producer
        let rejections = state.publishers.producers.rejections[producer]
        welcome.rejected = rejections.known.filter { $0.seq > acked }.map {
            RejectedPush(seq: $0.seq, code: $0.code.rawValue)
        }
        if rejections.forgottenSeq > acked { welcome.rejectedAfter = rejections.forgottenSeq }
        let lastRejected = max(rejections.known.last?.seq ?? 0, rejections.forgottenSeq)
        let known = max(welcome.lastSeq ?? 0, lastRejected)
        if acked <= known { return }
        welcome.behind = acked - known
        outbox.observer.counters.producersAhead += 1
    }

    /// Limits the devices for which a gateway's session may speak from now on.
    mutating func limitGateway(_ connection: ConnectionSlot, to devices: NamePatterns) {
        state.gatewayDevices[connection] = devices.isAll ? nil : devices
    }

    /// Keeps the rest of the producer of a session that has ended; see `WorkMeter.keepRest`.
    mutating func keepRest(ofProducerOn connection: ConnectionSlot, account: WorkAccount) {
        let producer = state.reloads.delivery.sessions[connection].producer
        outbox.work.keepRest(producer, account: account, at: state.reloads.clock.now.monotonic)
    }

    /// Continues the rest of the producer of a session that has begun.
    mutating func continueRest(ofProducerOn connection: ConnectionSlot, account: inout WorkAccount)
    {
        let producer = state.reloads.delivery.sessions[connection].producer
        outbox.work.continueRest(producer, account: &account)
    }

    /// The app of a session.
    func app(of connection: ConnectionSlot) -> AppID {
        state.reloads.delivery.sessions[connection].app
    }

    /// Whether an operator has paused an app.
    func isPaused(_ app: AppID) -> Bool { state.reloads.schedules.paused.has(app) }

    /// Checks that a body is JSON.
    mutating func validate(_ body: ByteView) throws(ProtocolError) {
        try state.scratch.validate(body, charging: &outbox)
    }

    /// The name for which a session speaks: of its producer or device; nil for a gateway.
    func peerName(ofSessionOn connection: ConnectionSlot) -> [UInt8]? {
        let session = state.reloads.delivery.sessions[connection]
        switch session.role {
        case .publisher: return state.publishers.producers.name(session.producer).array
        case .device:
            return unsafe state.reloads.delivery.names.view(
                session.name,
                count: Int(session.nameCount)
            ).array
        case .gateway, .server, nil: return nil
        }
    }
}
