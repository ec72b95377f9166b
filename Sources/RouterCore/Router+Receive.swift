package import ByteStorage
internal import FrameCodec
internal import PayloadFields
package import ReloadModel
internal import StrictJSON
internal import WidgetMatching

extension Router {
    /// Takes all whole frames at the beginning of what a connection has received.
    ///
    /// - Parameters:
    ///   - connection: the slot they came on.
    ///   - bytes: valid until the method returns.
    ///   - now: the clocks of this turn.
    /// - Returns: how many bytes were taken. What is left is to be offered again: with what comes
    ///   next, or, if the router `isBusy`, after the next step. All of them are taken if the session
    ///   has ended.
    package mutating func received(
        _ connection: UInt32,
        _ bytes: ByteView,
        now: Instant
    ) -> Int {
        tick(now)
        var offset = 0
        do throws(ProtocolError) {
            while !isBusy,
                let header = try FrameHeader.decode(bytes, at: offset, maxBody: limits.maxBody)
            {
                if header.type != .push && !isBatchFinished() { break }
                let start = offset + FrameHeader.byteCount
                let end = start + header.bodyCount
                let goesOn = try received(connection, header, bytes.slice(start, end))
                offset = goesOn ? end : bytes.count
            }
        } catch {
            if isBatchFinished() {
                refuse(connection, error)
                offset = bytes.count
            }
        }
        if !isMatching { matchQueued() }
        readEnded(
            connection,
            hasFrame: offset > 0,
            hasPartialFrame: offset < bytes.count && !isBusy
        )
        return offset
    }

    /// Matches the pushes in front of a frame that is none: it may change what they concern, or end
    /// the session that is owed their ACK.
    ///
    /// - Returns: whether that took no more than a portion; else the frame has to wait.
    private mutating func isBatchFinished() -> Bool {
        matchQueued()
        return !isMatching
    }

    /// Ends a session that has sent what is no legal frame.
    private mutating func refuse(_ connection: UInt32, _ error: ProtocolError) {
        if delivery.connections[connection].session.phase == .awaitingHello {
            awaitingHello.count -= 1
        }
        fail(connection, error)
    }

    private mutating func readEnded(
        _ connection: UInt32,
        hasFrame: Bool,
        hasPartialFrame: Bool
    ) {
        if hasFrame {
            delivery.connections[connection].lastFrameAt = now.monotonic
            delivery.connections[connection].pingsUnanswered = 0
            delivery.connections[connection].partialSince = 0
        }
        if hasPartialFrame && delivery.connections[connection].partialSince == 0 {
            delivery.connections[connection].partialSince = now.monotonic
        }
    }

    /// Takes one whole frame; its body stays valid until the batch's first portion is matched.
    ///
    /// - Returns: whether the session goes on.
    @inline(__always)
    private mutating func received(
        _ connection: UInt32,
        _ header: FrameHeader,
        _ body: ByteView
    ) throws(ProtocolError) -> Bool {
        let input = try delivery.connections[connection].session.received(
            header,
            window: limits.window
        )
        switch input {
        case .push:
            receivedPush(connection, header, body)
        case .duplicatePush:
            counters.pushesDuplicate += 1
            acceptedPush(connection, header.seq)
        case .hello:
            return receivedHello(connection, body)
        case .ping:
            actions.append(.pong(connection: connection, seq: header.seq))
        case .pong:
            break
        case .acknowledgement:
            return receivedAcknowledgement(connection, header.seq)
        case .widgets, .timeline, .state, .request:
            receivedFromDevice(connection, input, header.seq, body)
        }
        return true
    }

    /// Remembers that an ACK up to `seq` is due at the end of the turn.
    mutating func accepted(_ connection: UInt32, _ seq: UInt64) {
        if seq > delivery.connections[connection].ackSeq {
            delivery.connections[connection].ackSeq = seq
        }
        if !delivery.connections[connection].ackIsDue {
            delivery.connections[connection].ackIsDue = true
            acknowledging.append(connection)
        }
    }

    // MARK: - Pushes

    private mutating func receivedPush(
        _ connection: UInt32,
        _ header: FrameHeader,
        _ body: ByteView
    ) {
        var payload = body
        var voidAt = Int64.max
        if header.flags & PushFlags.expires != 0 {
            guard body.count >= 8 else {
                reject(
                    connection,
                    seq: header.seq,
                    ProtocolError(
                        .payloadExpiry,
                        "the body has \(body.count) bytes; flag 0x02 wants 8 for the date"
                    )
                )
                return
            }
            voidAt = Int64(clamping: body.bigEndian(UInt64.self, at: 0))
            payload = body.slice(8, body.count)
        }
        let record = delivery.connections[connection]
        do throws(PayloadError) {
            try matcher.enqueue(
                app: record.app,
                payload: payload,
                tag: UInt32(pushes.count)
            )
        } catch {
            reject(connection, seq: header.seq, ProtocolError(error))
            return
        }
        let isVoid = voidAt <= now.wall
        lastBurst &+= 1
        pushes.append(
            QueuedPush(
                isUrgent: header.flags & PushFlags.urgent != 0,
                isVoid: isVoid,
                voidAt: voidAt,
                fields: isVoid ? PushFields.none : fields(of: payload, record.app),
                burst: lastBurst,
                reloadsBefore: reloadSeq
            )
        )
        producers[Int(record.subject)].lastSeq = header.seq
        counters.pushesAccepted += 1
        acceptedPush(connection, header.seq)
        if matcher.isBatchFull { matchQueued() }
    }

    /// Keeps what the app's kinds show or carry of a payload until its matches are known.
    @inline(__always)
    private mutating func fields(of payload: ByteView, _ app: AppID) -> UInt32 {
        if !fieldCatalog.observes(app) { return PushFields.none }
        return pushFields.read(payload, app: app, catalog: fieldCatalog)
    }

    // MARK: - HELLO

    private mutating func receivedHello(_ connection: UInt32, _ body: ByteView) -> Bool {
        awaitingHello.count -= 1
        do throws(ProtocolError) {
            try validate(body)
            let hello = try HelloMessage.decode(body)
            let app = try authenticate(hello)
            delivery.connections[connection].app = app
            let lastSeq = try begin(connection, hello, app)
            let welcome = WelcomeMessage(
                session: sessionName(connection),
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

    /// Checks a body that is not a payload with the strict scanner.
    mutating func validate(_ body: ByteView) throws(ProtocolError) {
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
            scanner.resetScratch()
        } catch {
            scanner.resetScratch()
            throw ProtocolError(error)
        }
    }

    private func authenticate(_ hello: HelloMessage) throws(ProtocolError) -> AppID {
        guard let app = appsByName[Array(hello.app.utf8)], apps[Int(app)].isDeclared else {
            throw ProtocolError(.appUnknown, "no app \(hello.app) is declared here")
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
                "the token is not one of a \(hello.role.rawValue) of \(hello.app)"
            )
        }
        return app
    }

    /// Enters the role; an older session of the same producer or device is ended.
    private mutating func begin(
        _ connection: UInt32,
        _ hello: HelloMessage,
        _ app: AppID
    ) throws(ProtocolError) -> UInt64? {
        let generation = delivery.connections[connection].generation
        switch hello.role {
        case .publisher:
            let producer = try producer(NameInApp(app: app, name: Array(hello.name!.utf8)))
            let old = producers[Int(producer)]
            producers[Int(producer)].connection = connection
            producers[Int(producer)].generation = generation
            replace(old.connection, old.generation, "producer")
            delivery.connections[connection].subject = producer
            let lastSeq = producers[Int(producer)].lastSeq
            delivery.connections[connection].session.accept(.publisher, lastSeq: lastSeq)
            return lastSeq
        case .device:
            delivery.connections[connection].session.accept(.device, lastSeq: 0)
            hello.name!.withByteView { name in
                if let old = delivery.findDeviceSession(app, name) {
                    delivery.forgetDeviceSession(old)
                    replace(old, delivery.connections[old].generation, "device")
                }
                delivery.nameDeviceSession(connection, app, name)
                if let device = delivery.findDevice(app, name) {
                    attach(device, to: connection)
                }
            }
        case .gateway, .server:
            delivery.connections[connection].session.accept(.gateway, lastSeq: 0)
        }
        return nil
    }

    private mutating func producer(_ key: NameInApp) throws(ProtocolError) -> UInt32 {
        if let producer = producersByName[key] { return producer }
        guard producers.count < limits.producers else {
            throw ProtocolError(
                .tooManyProducers,
                "\(limits.producers) producers are known; no more are taken"
            )
        }
        let producer = UInt32(producers.count)
        producers.append(
            Producer(lastSeq: 0, connection: ConnectionRecord.none, generation: 0)
        )
        producersByName[key] = producer
        return producer
    }

    private mutating func replace(_ connection: UInt32, _ generation: UInt32, _ what: String) {
        guard connection != ConnectionRecord.none,
            delivery.connections[connection].isOpen,
            delivery.connections[connection].generation == generation
        else { return }
        fail(
            connection,
            ProtocolError(.sessionReplaced, "a newer session speaks for the same \(what)")
        )
    }

    /// Names the session for logs on both ends; it is no secret and opens nothing.
    private func sessionName(_ connection: UInt32) -> String {
        let generation = delivery.connections[connection].generation
        let halves = [
            foldedProduct(delivery.hashSeed ^ 0x9e37_79b9_7f4a_7c15, UInt64(generation) << 32 | 1),
            foldedProduct(delivery.hashSeed ^ 0xe703_7ed1_a0b4_28db, UInt64(connection) << 32 | 1)
                ^ UInt64(bitPattern: now.wall),
        ]
        return halves.map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Compares secrets so that the time taken says nothing about where they differ.
private func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count != right.count { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}

extension ProtocolError {
    /// The error for a payload that the matcher refused.
    init(_ error: PayloadError) {
        switch error {
        case .json(let json): self.init(json)
        case .kinds: self.init(.payloadKinds, error.message)
        case .tooManyProbes: self.init(.payloadCombinations, error.message)
        }
    }
}
