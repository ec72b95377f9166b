internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// HELLO: who speaks on a connection.
extension Router {
    mutating func receivedHello(_ connection: UInt32, _ body: ByteView) -> Bool {
        sessions.awaitingHello.count -= 1
        outbox.work.charge(WorkCost.session)
        do throws(ProtocolError) {
            try state.validate(body, &outbox)
            let hello = try HelloMessage.decode(body)
            let app = try authenticate(hello)
            let name = Array((hello.name ?? "").utf8)
            try state.checkSession(hello.role, name, of: app, &outbox)
            let lastSeq = try enter(connection, hello.role, app, name)
            let welcome = WelcomeMessage(
                session: sessionName(connection)!,
                maxBody: limits.maxBody,
                window: limits.window,
                lastSeq: lastSeq
            )
            outbox.write(connection, .welcome, seq: 0, welcome.encoded)
            return true
        } catch {
            fail(connection, error)
            return false
        }
    }

    private func authenticate(_ hello: HelloMessage) throws(ProtocolError) -> AppID {
        guard let app = state.catalog.appsByName[Array(hello.app.utf8)],
            state.catalog.apps[Int(app)].isDeclared
        else {
            throw ProtocolError(.appUnknown, "no app \(quotation(hello.app)) is declared here")
        }
        let declaration = state.catalog.apps[Int(app)].declaration
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
            capture.record(connection, role, state.catalog.apps[Int(app)].declaration.app, name)
            commit(.sessionOpened(connection: connection, role: role, app: app, name: name))
        }
        let session = state.delivery.sessions[connection]
        let lastSeq = role == .publisher ? state.producers[session.subject].lastSeq : nil
        sessions.accept(connection, role, number: session.number, lastSeq: lastSeq ?? 0)
        if role == .publisher {
            outbox.work.comes(session.subject, &sessions.connections[connection].work)
        }
        return lastSeq
    }

    /// Names the session of a connection for logs on both ends; it is no secret and opens nothing.
    ///
    /// - Returns: the same whenever it is asked for in this process; nil before HELLO was accepted.
    package func sessionName(_ connection: UInt32) -> String? {
        let number = sessions.connections[connection].number
        if number == 0 { return nil }
        return sessions.names.name(of: number)
    }
}

/// Compares secrets so that the time taken says nothing about where they differ.
private func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
