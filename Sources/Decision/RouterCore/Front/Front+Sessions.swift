package import Basics
package import Credentials
package import FrameCodec

/// HELLO: beginning the session of a connection.
///
///     HELLO ──► kept ──► the driver judges it ──► admit ──► WELCOME
///                                             └─► refuse ──► ERROR
///
/// The router knows no secrets: its driver decides which clients are let in. Until then it accepts
/// no frame of the connection.
extension Router {
    /// Handles HELLO: keeps it for the driver's verdict, or ends the connection. Returns whether
    /// it is kept.
    mutating func receivedHello(on connection: ConnectionSlot, body: ByteView) -> Bool {
        outbox.work.charge(WorkCost.session)
        do throws(ProtocolError) {
            try state.scratch.validate(body, charging: &outbox)
            let hello = try HelloMessage.decode(body)
            if hello.hasReservedName && !limits.allowsReservedNames {
                throw ProtocolError(
                    .identifierInvalid,
                    message: "the producer \(quotation(hello.name ?? "")) is the router's own, as "
                        + "all in parentheses are"
                )
            }
            sessions.await(hello, on: connection)
            return true
        } catch {
            refuse(connection, with: error)
            return false
        }
    }

    /// The HELLO of a connection that awaits the driver's verdict; nil if it awaits none.
    package func awaitedHello(_ connection: ConnectionSlot) -> HelloMessage? {
        awaitsVerdict(connection) ? sessions.hellos[connection] : nil
    }

    /// Whether the HELLO of a connection awaits the driver's verdict: no frame of it is accepted.
    @inline(__always)
    package func awaitsVerdict(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].awaitsVerdict
    }

    /// Lets a client in whose HELLO awaits a verdict: begins its session and answers WELCOME, or
    /// ends the connection if there is no app of this name or no more room. The connection has an
    /// `awaitedHello`; the router must not be `isSearching`. At `end` the session ends, because
    /// what let it in is no longer good; `devices` are those for which a gateway may speak. Returns
    /// how many pushes the client knows to be answered of which this router knows nothing.
    @discardableResult
    package mutating func admit(
        _ connection: ConnectionSlot,
        until end: WallTime = .max,
        devices: NamePatterns = .all,
        now: Instant
    ) -> UInt64 {
        tick(now)
        assert(!isSearching, "a session begins while pushes of its producer may be searched for")
        guard let hello = sessions.takeHello(connection) else {
            preconditionFailure("no HELLO of \(connection) awaits a verdict")
        }
        do throws(ProtocolError) {
            let app = try app(of: hello)
            let name = Array((hello.name ?? "").utf8)
            try state.checkSession(hello.role, named: name, of: app, into: &outbox)
            let lastSeq = try enter(connection, as: hello.role, of: app, named: name)
            sessions.awaitingHello.count -= 1
            limit(connection, until: end, devices: devices)
            var welcome = WelcomeMessage(
                session: sessionName(connection)!,
                maxBody: limits.maxBody,
                window: limits.window,
                lastSeq: lastSeq
            )
            if hello.role == .publisher, let acked = hello.acked {
                addAnswers(after: acked, of: connection, to: &welcome)
            }
            outbox.write(to: connection, type: .welcome, seq: 0, body: welcome.encoded)
            if hello.wantsOutcomes && hello.role == .publisher {
                sessions.connections[connection].wantsOutcomes = true
                sessions.connections[connection].wantsDuplicates = true
                if state.reloads.schedules.paused.has(app) { reportPause(true, to: connection) }
            }
            return welcome.behind ?? 0
        } catch {
            refuse(connection, with: error)
            return 0
        }
    }

    /// Adds to the WELCOME of a publisher which pushes above `acked` were rejected, and how many up
    /// to it are unknown here: an older store was put in the place of the one that had them.
    private mutating func addAnswers(
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

    /// Ends a session, or a connection whose HELLO awaits a verdict; what was accepted is
    /// acknowledged first.
    package mutating func end(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        now: Instant
    ) {
        tick(now)
        if intake.unsent.connection == connection { finishPushes() }
        refuse(connection, with: error)
    }

    /// Limits an open session: until when it lasts, and for which devices a gateway may speak from
    /// now on.
    package mutating func limit(
        _ connection: ConnectionSlot,
        until end: WallTime,
        devices: NamePatterns
    ) {
        assert(sessions.connections[connection].session.phase.isEstablished, "there is no session")
        sessions.connections[connection].admittedUntil = end
        let isLimited = sessions.connections[connection].session.phase == .gateway && !devices.isAll
        state.gatewayDevices[connection] = isLimited ? devices : nil
    }

    /// The devices for which a gateway's session may speak; nil for another session.
    package func gatewayDevices(_ connection: ConnectionSlot) -> NamePatterns? {
        if sessions.connections[connection].session.phase != .gateway { return nil }
        return state.gatewayDevices[connection] ?? .all
    }

    /// The name for which a session speaks: of its producer or device; nil for a gateway, and
    /// without a session.
    package func peerName(_ connection: ConnectionSlot) -> [UInt8]? {
        switch sessions.connections[connection].session.phase {
        case .publisher:
            let producer = state.reloads.delivery.sessions[connection].producer
            return state.publishers.producers.name(producer).array
        case .device:
            let record = state.reloads.delivery.sessions[connection]
            return unsafe state.reloads.delivery.names.view(
                record.name,
                count: Int(record.nameCount)
            ).array
        case .gateway, .awaitingHello, .ended: return nil
        }
    }

    /// The app that HELLO names.
    ///
    /// - Throws: `app-unknown`.
    private func app(of hello: HelloMessage) throws(ProtocolError) -> AppID {
        guard let app = state.reloads.catalog.appsByName[Array(hello.app.utf8)],
            state.reloads.catalog.apps[app].isDeclared
        else {
            throw ProtocolError(
                .appUnknown,
                message: "no app \(quotation(hello.app)) is declared here"
            )
        }
        return app
    }

    /// Begins a session; an older one of the same producer or device is ended.
    ///
    /// - Returns: the number of a producer's last accepted push; nil for other roles.
    /// - Throws: why there is no room for a new producer.
    mutating func enter(
        _ connection: ConnectionSlot,
        as role: Peer,
        of app: AppID,
        named name: [UInt8]
    ) throws(ProtocolError) -> UInt64? {
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
        let producer = role == .publisher ? session.producer : nil
        let lastSeq = producer.map { state.publishers.producers[$0].lastSeq }
        let rejected = producer.flatMap {
            state.publishers.producers.rejections[$0].known.last?.seq
        }
        sessions.accept(
            connection,
            as: role,
            number: session.number,
            lastSeq: lastSeq ?? 0,
            rejectedSeq: rejected ?? 0
        )
        if role == .publisher {
            outbox.work.continueRest(
                session.producer,
                account: &sessions.connections[connection].work
            )
        }
        return lastSeq
    }

    /// The name of a connection's session in logs on both ends, the same for the whole session; it
    /// is no secret and gives no privileges. Nil before HELLO was accepted.
    package func sessionName(_ connection: ConnectionSlot) -> String? {
        let number = sessions.connections[connection].number
        if number == 0 { return nil }
        return sessions.names.name(of: number)
    }
}
