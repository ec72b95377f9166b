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
        var producer: UInt32?
        if role == .publisher {
            producer = try name.withByteView { (name) throws(ProtocolError) in
                try self.producer(app, name)
            }
        }
        name.withByteView { recordSession(connection, role, app, $0) }
        producers.timePasses(now: now)
        journal.beginEffects()
        defer { journal.endEffects() }
        delivery.connections[connection].app = app
        lastSession += 1
        delivery.connections[connection].number = lastSession
        if let producer { return speak(connection, forProducer: producer) }
        delivery.accept(connection, role, lastSeq: 0)
        if role == .device {
            name.withByteView { speak(connection, forDevice: $0, app) }
        }
        return nil
    }

    private mutating func speak(_ connection: UInt32, forProducer producer: UInt32) -> UInt64 {
        let old = producers[producer]
        producers.sessionBegan(producer, connection, lastSession, now: now)
        replace(old.connection, old.session, "producer")
        work.comes(producer, &delivery.connections[connection].work)
        delivery.connections[connection].subject = producer
        let lastSeq = producers[producer].lastSeq
        delivery.accept(connection, .publisher, lastSeq: lastSeq)
        return lastSeq
    }

    private mutating func speak(_ connection: UInt32, forDevice name: ByteView, _ app: AppID) {
        if let old = delivery.findDeviceSession(app, name) {
            delivery.forgetDeviceSession(old)
            replace(old, delivery.connections[old].number, "device")
        }
        delivery.nameDeviceSession(connection, app, name)
        if let device = delivery.findDevice(app, name) { attach(device, to: connection) }
    }

    /// Enters the role again, as the journal has it.
    mutating func replaySession(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: [UInt8]
    ) throws(ProtocolError) {
        delivery.connections.reserve(through: connection, filling: ConnectionRecord())
        if delivery.connections[connection].isOpen { replayEnd(connection, at: now) }
        delivery.connections[connection] = ConnectionRecord()
        delivery.connections[connection].isOpen = true
        delivery.countRole(connection)
        _ = try enter(connection, role, app, name)
    }

    /// Ends a session, as the journal has it.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - time: when; nil if it has ended with its process.
    mutating func replayEnd(_ connection: UInt32, at time: Instant?) {
        delivery.forgetDeviceSession(connection)
        delivery.connections[connection].isOpen = false
        endSession(connection, at: time)
    }

    /// Ends a session, or a connection that has none: nobody speaks on it any more.
    ///
    /// - Parameters:
    ///   - connection: whose.
    ///   - time: as for `replayEnd`.
    mutating func endSession(_ connection: UInt32, at time: Instant?) {
        let record = delivery.connections[connection]
        if record.session.phase == .publisher {
            producers.sessionEnded(record.subject, connection, record.number, now: time)
            work.leaves(record.subject, record.work, at: now.monotonic)
        }
        delivery.endSession(connection)
    }

    private mutating func replace(_ connection: UInt32, _ session: UInt64, _ what: String) {
        guard connection != ConnectionRecord.none,
            delivery.connections[connection].isOpen,
            delivery.connections[connection].number == session
        else { return }
        fail(
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
