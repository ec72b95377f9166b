internal import ByteStorage
internal import FrameCodec
internal import ReloadModel

/// HELLO: who speaks on a connection.
extension Router {
    mutating func receivedHello(_ connection: UInt32, _ body: ByteView) -> Bool {
        awaitingHello.count -= 1
        work.charge(WorkCost.session)
        do throws(ProtocolError) {
            try validate(body)
            let hello = try HelloMessage.decode(body)
            let app = try authenticate(hello)
            let name = Array((hello.name ?? "").utf8)
            try checkSession(hello.role, name, of: app)
            let lastSeq = try enter(connection, hello.role, app, name)
            let welcome = WelcomeMessage(
                session: sessionName(connection)!,
                maxBody: limits.maxBody,
                window: limits.window,
                lastSeq: lastSeq
            )
            write(connection, .welcome, seq: 0, welcome.encoded)
            return true
        } catch {
            fail(connection, error)
            return false
        }
    }

    private func authenticate(_ hello: HelloMessage) throws(ProtocolError) -> AppID {
        guard let app = appsByName[Array(hello.app.utf8)], apps[Int(app)].isDeclared else {
            throw ProtocolError(.appUnknown, "no app \(quotation(hello.app)) is declared here")
        }
        let declaration = apps[Int(app)].declaration
        let tokens =
            switch hello.role {
            case .publisher: declaration.publisherTokens
            case .device: declaration.deviceTokens
            case .gateway, .server: declaration.gatewayTokens
            }
        guard let tokens else { return app }
        let given = Array((hello.token ?? "").utf8)
        var isKnown = false
        for token in tokens where equalInConstantTime(Array(token.utf8), given) { isKnown = true }
        guard isKnown else {
            throw ProtocolError(
                .tokenInvalid,
                "the token is not one of a \(hello.role.rawValue) of \(quotation(hello.app))"
            )
        }
        return app
    }

    /// Enters the role; an older session of the same producer or device is ended.
    ///
    /// - Returns: a producer's last push.
    mutating func enter(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: [UInt8]
    ) throws(ProtocolError) -> UInt64? {
        try name.withByteView { (name) throws(ProtocolError) in
            if role == .publisher { try admitProducer(app, name) }
            capture.record(connection, role, apps[Int(app)].declaration.app, name)
            commit(.sessionOpened(connection: connection, role: role, app: app, name: name))
        }
        if role != .publisher { return nil }
        return producers[delivery.connections[connection].subject].lastSeq
    }

    /// A session begins; an older one of the same producer or device is ended.
    mutating func openSession(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: ByteView
    ) {
        makeConnection(connection)
        // Before time is counted: a producer that is new is idle from its last count on.
        let producer = role == .publisher ? producer(app, name) : nil
        producers.timePasses(now: now)
        delivery.connections[connection].app = app
        lastSession += 1
        delivery.connections[connection].number = lastSession
        if let producer { return speak(connection, forProducer: producer) }
        delivery.accept(connection, role, lastSeq: 0)
        if role == .device { speak(connection, forDevice: name, app) }
    }

    /// A log has no connections without a session: there, they are opened with these.
    private mutating func makeConnection(_ connection: UInt32) {
        delivery.connections.reserve(through: connection, filling: ConnectionRecord())
        let record = delivery.connections[connection]
        if record.isOpen && record.session.phase == .awaitingHello { return }
        if record.session.phase.isEstablished { endSession(connection, at: now) }
        delivery.connections[connection] = ConnectionRecord()
        delivery.connections[connection].isOpen = true
        delivery.countRole(connection)
    }

    private mutating func speak(_ connection: UInt32, forProducer producer: UInt32) {
        let old = producers[producer]
        producers.sessionBegan(producer, connection, lastSession, now: now)
        replace(old.connection, old.session, "producer")
        work.comes(producer, &delivery.connections[connection].work)
        delivery.connections[connection].subject = producer
        let lastSeq = producers[producer].lastSeq
        delivery.accept(connection, .publisher, lastSeq: lastSeq)
    }

    private mutating func speak(_ connection: UInt32, forDevice name: ByteView, _ app: AppID) {
        if let old = delivery.findDeviceSession(app, name) {
            delivery.forgetDeviceSession(old)
            replace(old, delivery.connections[old].number, "device")
        }
        delivery.nameDeviceSession(connection, app, name)
        if let device = delivery.findDevice(app, name) { attach(device, to: connection) }
    }

    /// Ends a session, or a connection that has none: nobody speaks on it any more.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - time: when; nil if it has ended with its process.
    mutating func endSession(_ connection: UInt32, at time: Instant?) {
        let record = delivery.connections[connection]
        if record.session.phase == .publisher {
            producers.sessionEnded(record.subject, connection, record.number, now: time)
            work.leaves(record.subject, record.work, at: now.monotonic)
        }
        delivery.forgetDeviceSession(connection)
        delivery.endSession(connection)
    }

    private mutating func replace(_ connection: UInt32, _ session: UInt64, _ what: String) {
        guard connection != ConnectionRecord.none,
            delivery.connections[connection].isOpen,
            delivery.connections[connection].number == session
        else { return }
        evict(
            connection,
            ProtocolError(.sessionReplaced, "a newer session speaks for the same \(what)")
        )
    }

    /// Names the session of a connection for logs on both ends; it is no secret and opens nothing.
    ///
    /// - Returns: the same whenever it is asked for in this process; nil before HELLO was accepted.
    package func sessionName(_ connection: UInt32) -> String? {
        let number = delivery.connections[connection].number
        if number == 0 { return nil }
        return sessionNames.name(of: number)
    }
}

/// Compares secrets so that the time taken says nothing about where they differ.
private func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
