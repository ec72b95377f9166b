internal import Basics
internal import Credentials
internal import FrameCodec

/// HELLO: beginning the session of a connection.
///
///     HELLO ──► kept ──► the driver judges it ──► admit ──► partition ──► WELCOME
///                                             └─► refuse ──► ERROR
///
/// The front knows no secrets: its driver decides which clients are let in. Until then it accepts
/// no frame of the connection.
extension Front {
    /// Handles HELLO: keeps it for the driver's verdict, or ends the connection. Returns whether
    /// it is kept.
    mutating func receivedHello(
        on connection: ConnectionSlot,
        body: ByteView,
        in partition: inout Router
    ) -> Bool {
        partition.outbox.work.charge(WorkCost.session)
        do throws(ProtocolError) {
            try partition.validate(body)
            let hello = try HelloMessage.decode(body)
            if hello.hasReservedName && !partition.limits.allowsReservedNames {
                throw ProtocolError(
                    .identifierInvalid,
                    message: "the producer \(quotation(hello.name ?? "")) is the router's own, as "
                        + "all in parentheses are"
                )
            }
            sessions.await(hello, on: connection)
            return true
        } catch {
            refuse(connection, with: error, in: &partition)
            return false
        }
    }

    /// Whether the HELLO of a connection awaits the driver's verdict: no frame of it is accepted.
    @inline(__always)
    func awaitsVerdict(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].awaitsVerdict
    }

    /// Lets a client in whose HELLO awaits a verdict; see `Router.admit`.
    mutating func admit(
        _ connection: ConnectionSlot,
        until end: WallTime,
        devices: NamePatterns,
        now: Instant,
        in partition: inout Router
    ) -> UInt64 {
        partition.tick(now)
        assert(
            !partition.isSearching,
            "a session begins while pushes of its producer may be searched for"
        )
        guard let hello = sessions.takeHello(connection) else {
            preconditionFailure("no HELLO of \(connection) awaits a verdict")
        }
        do throws(ProtocolError) {
            let app = try partition.declaredApp(hello.app)
            let name = Array((hello.name ?? "").utf8)
            let role = hello.role
            let lastSeq = try enter(connection, as: role, of: app, named: name, in: &partition)
            sessions.awaitingHello.count -= 1
            limit(connection, until: end, devices: devices, in: &partition)
            var welcome = WelcomeMessage(
                session: sessionName(connection)!,
                maxBody: partition.limits.maxBody,
                window: partition.limits.window,
                lastSeq: role == .publisher ? lastSeq : nil
            )
            if role == .publisher, let acked = hello.acked {
                partition.addAnswers(after: acked, of: connection, to: &welcome)
            }
            partition.outbox.write(to: connection, type: .welcome, seq: 0, body: welcome.encoded)
            if hello.wantsOutcomes && role == .publisher {
                sessions.connections[connection].wantsOutcomes = true
                sessions.connections[connection].wantsDuplicates = true
                if partition.isPaused(app) { partition.reportPause(true, to: connection) }
            }
            return welcome.behind ?? 0
        } catch {
            refuse(connection, with: error, in: &partition)
            return 0
        }
    }

    /// Opens a slot for a publisher that sends no HELLO; see `Router.openPublisher`.
    mutating func openPublisher(
        _ connection: ConnectionSlot,
        app: String,
        producer: String,
        now: Instant,
        in partition: inout Router
    ) throws(ProtocolError) -> UInt64 {
        partition.tick(now)
        let app = try partition.declaredApp(app)
        let name = Array(producer.utf8)
        sessions.begin(connection, at: now)
        do throws(ProtocolError) {
            let role = Peer.publisher
            let lastSeq = try enter(connection, as: role, of: app, named: name, in: &partition)
            sessions.connections[connection].wantsOutcomes = true
            sessions.connections[connection].wantsDuplicates = true
            sessions.connections[connection].session.allowRepeats()
            return lastSeq
        } catch {
            sessions.end(connection)
            sessions.connections[connection].isOpen = false
            throw error
        }
    }

    /// Begins a session; an older one of the same producer or device is ended. Returns the number
    /// of a producer's last accepted push; 0 for none, and for other roles.
    ///
    /// - Throws: why there is no room for it.
    private mutating func enter(
        _ connection: ConnectionSlot,
        as role: Peer,
        of app: AppID,
        named name: [UInt8],
        in partition: inout Router
    ) throws(ProtocolError) -> UInt64 {
        let opened = try partition.openSession(on: connection, as: role, of: app, named: name)
        take(from: &partition)
        sessions.accept(
            connection,
            as: role,
            number: opened.number,
            lastSeq: opened.lastSeq,
            rejectedSeq: opened.rejectedSeq
        )
        if role == .publisher {
            partition.continueRest(
                ofProducerOn: connection,
                account: &sessions.connections[connection].work
            )
        }
        return opened.lastSeq
    }

    /// Ends a session, or a connection whose HELLO awaits a verdict; what was accepted is
    /// acknowledged first.
    mutating func end(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        now: Instant,
        in partition: inout Router
    ) {
        partition.tick(now)
        if partition.isMatching(for: connection) { partition.finishPushes() }
        refuse(connection, with: error, in: &partition)
    }

    /// Limits an open session: until when it lasts, and for which devices a gateway may speak from
    /// now on.
    mutating func limit(
        _ connection: ConnectionSlot,
        until end: WallTime,
        devices: NamePatterns,
        in partition: inout Router
    ) {
        assert(sessions.connections[connection].session.phase.isEstablished, "there is no session")
        sessions.connections[connection].admittedUntil = end
        let isGateway = sessions.connections[connection].session.phase == .gateway
        partition.limitGateway(connection, to: isGateway ? devices : .all)
    }

    /// The name of a connection's session in logs on both ends; see `Router.sessionName`.
    func sessionName(_ connection: ConnectionSlot) -> String? {
        let number = sessions.connections[connection].number
        if number == 0 { return nil }
        return sessions.names.name(of: number)
    }

    // MARK: - Operators

    /// Reports to the publishers of an app that ask for outcomes that it is paused or resumed.
    func reportPause(_ isPaused: Bool, of app: AppID, in partition: inout Router) {
        for connection in sessions.connections.ids
        where sessions.connections[connection].isOpen
            && sessions.connections[connection].wantsOutcomes && isPublisher(connection)
            && partition.app(of: connection) == app
        {
            partition.reportPause(isPaused, to: connection)
        }
    }

    /// The open connections, in the order of their slots; see `Router.connections`.
    func connections(
        from first: ConnectionSlot,
        limit: Int,
        of partition: borrowing Router
    ) -> (found: [ConnectionView], next: ConnectionSlot?) {
        var found: [ConnectionView] = []
        for connection in sessions.connections.ids.dropFirst(first.index) {
            let record = sessions.connections[connection]
            if record.isOpen {
                if found.count == limit { return (found, connection) }
                let phase = record.session.phase
                var view = partition.view(ofSessionOn: phase.isEstablished ? connection : .none)
                view.slot = connection
                view.role = "\(phase)"
                view.lastFrameAt = record.lastFrameAt
                view.frames = record.frames
                view.unacknowledged = record.session.unacknowledged
                view.isPaused = isPaused(connection, of: partition)
                found.append(view)
            }
        }
        return (found, nil)
    }
}
