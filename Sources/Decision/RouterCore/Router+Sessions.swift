internal import DataStructures
internal import FrameCodec
package import ReloadModel

/// HELLO: beginning the session of a connection.
extension Router {
    /// Handles HELLO: begins a session and answers WELCOME, or ends the connection. Returns whether
    /// a session has begun.
    mutating func receivedHello(on connection: ConnectionSlot, body: ByteView) -> Bool {
        sessions.awaitingHello.count -= 1
        outbox.work.charge(WorkCost.session)
        do throws(ProtocolError) {
            try state.validate(body, charging: &outbox)
            let hello = try HelloMessage.decode(body)
            let app = try authenticate(hello)
            let name = Array((hello.name ?? "").utf8)
            try state.checkSession(hello.role, named: name, of: app, into: &outbox)
            let lastSeq = try enter(connection, as: hello.role, of: app, named: name)
            let welcome = WelcomeMessage(
                session: sessionName(connection)!,
                maxBody: limits.maxBody,
                window: limits.window,
                lastSeq: lastSeq
            )
            outbox.write(to: connection, type: .welcome, seq: 0, body: welcome.encoded)
            if hello.wantsOutcomes && hello.role == .publisher {
                sessions.connections[connection].wantsOutcomes = true
                if state.paused.has(app) { reportPause(true, to: connection) }
            }
            return true
        } catch {
            fail(connection, with: error)
            return false
        }
    }

    /// The app that HELLO names.
    ///
    /// - Throws: `app-unknown`, or `token-invalid` if the token is not one of the role's.
    private func authenticate(_ hello: HelloMessage) throws(ProtocolError) -> AppID {
        guard let app = state.catalog.appsByName[Array(hello.app.utf8)],
            state.catalog.apps[app].isDeclared
        else {
            throw ProtocolError(
                .appUnknown,
                message: "no app \(quotation(hello.app)) is declared here"
            )
        }
        let declaration = state.catalog.apps[app].declaration
        let tokens =
            switch hello.role {
            case .publisher: declaration.publisherTokens
            case .device: declaration.deviceTokens
            case .gateway, .server: declaration.gatewayTokens
            }
        guard let tokens else { return app }
        let given = Array((hello.token ?? "").utf8)
        var isKnown = false
        for token in tokens where equalInConstantTime(Array(token.utf8), to: given) {
            isKnown = true
        }
        guard isKnown else {
            let role = "a \(hello.role.rawValue) of \(quotation(hello.app))"
            throw ProtocolError(
                .tokenInvalid,
                message: hello.token == nil
                    ? "HELLO has no token, which \(role) needs" : "the token is not one of \(role)"
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
                app: state.catalog.apps[app].declaration.app,
                name: name
            )
            commit(.sessionOpened(connection: connection, role: role, app: app, name: name))
        }
        let session = state.delivery.sessions[connection]
        let lastSeq = role == .publisher ? state.producers[session.producer].lastSeq : nil
        sessions.accept(connection, as: role, number: session.number, lastSeq: lastSeq ?? 0)
        if role == .publisher {
            outbox.work.continueRest(
                session.producer,
                account: &sessions.connections[connection].work
            )
        }
        return lastSeq
    }

    /// The name of a connection's session in logs on both ends; it is no secret and gives no
    /// privileges.
    ///
    /// - Returns: a name that stays the same for the session; nil before HELLO was accepted.
    package func sessionName(_ connection: ConnectionSlot) -> String? {
        let number = sessions.connections[connection].number
        if number == 0 { return nil }
        return sessions.names.name(of: number)
    }
}

/// Compares secrets so that the time taken says nothing about where they differ.
private func equalInConstantTime(_ left: [UInt8], to right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
