internal import AdminAPI
package import Basics
internal import Credentials
internal import FrameCodec
internal import HTTPMessages
internal import HTTPServing
package import LibuvLoop
internal import RouterCore

/// Requests: what arrives, and what is answered.
extension PublishListener {
    /// Reads requests, until one has to wait for its answer.
    package func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        loop.meter.enter(.http)
        server.router.charge(WorkCost.read + bytes.count / WorkCost.unreadBytes)
        defer { server.limitWork() }
        guard let connection = connections[tcp.slot] else { return bytes.count }
        // TLS answers some messages by itself. A client that does not read that is not read either.
        if tcp.outputByteCount > limits.unreadBytes {
            close(connection)
            return bytes.count
        }
        pay(connection)
        connection.lastActivity = loop.now
        if mustRest(connection) { return 0 }
        var offset = 0
        let last = connection.serial &+ UInt32(limits.requestsPerRead)
        var pieces = 0
        while true {
            switch connection.phase {
            case .closed, .ending: return bytes.count
            case .judging, .answering:
                if offset < bytes.count { tcp.pauseReading() }
                return offset
            case .head where tcp.outputByteCount > 0 && offset < bytes.count:
                tcp.pauseUntilRead()
                return offset
            case .head where connection.serial == last && offset < bytes.count:
                // Others come first.
                deferInput(of: connection)
                return offset
            case .body where pieces >= limits.piecesPerRead && offset < bytes.count,
                .discarding where pieces >= limits.piecesPerRead && offset < bytes.count:
                deferInput(of: connection)
                return offset
            default: break
            }
            let (used, event) = connection.reader.read(bytes.slice(offset, to: bytes.count))
            offset += used
            switch event {
            case .incomplete:
                keepHead(of: connection, hasPart: offset < bytes.count)
                return offset
            case .head: begin(connection)
            case .piece(let piece):
                pieces += 1
                keep(piece, of: connection)
            case .end: finish(connection)
            case .failed(let failure):
                connection.mustEnd = true
                connection.route = Self.noRoute
                answer(connection, with: PublishAnswer(failure))
            }
        }
    }

    /// What metrics and logs show of a request that was not read.
    private static var noRoute: String { "(none)" }

    /// Remembers since when an incomplete head has been arriving.
    private func keepHead(of connection: PublishConnection, hasPart: Bool) {
        connection.tcp.keepsPartialFrame = hasPart
        guard case .head = connection.phase else { return }
        connection.headBegin = hasPart ? connection.headBegin ?? loop.now : nil
    }

    // MARK: - The head

    /// Judges a request whose head has been read.
    private func begin(_ connection: PublishConnection) {
        server.router.charge(WorkCost.request)
        countRequest()
        connection.serial &+= 1
        connection.headBegin = nil
        connection.mustEnd = false
        let (admission, route) = resources.admit(
            connection.reader.head,
            certificate: connection.certificate,
            judged: &connection.judged,
            revocation: { server.router.tokensRevokedBefore(device: $1, app: $0) },
            now: server.thisTick.clock.now().wall
        )
        connection.route = route
        setGroup(of: connection)
        apply(admission, to: connection)
    }

    private func apply(_ admission: PublishResources.Admission, to connection: PublishConnection) {
        let head = connection.reader.head
        switch admission {
        case .body(let target):
            // Devices may come in crowds, and must not displace publishers.
            displace(connections.trust(connection, if: target.role != .device))
            // With little memory, all bodies together may have less than one otherwise.
            connection.bodyLimit = min(
                limits.allBodiesBytes,
                resources.bodyLimit(of: target, maxBody: server.configuration.limits.maxBody)
            )
            if head.bodyCount ?? 0 > connection.bodyLimit {
                return refuse(connection, with: .problem(tooLarge(connection)))
            }
            connection.phase = .body(target)
            connection.tcp.readLimit = limits.bodyReadBytes
            if head.bodyCount != 0 && head.expectsContinue {
                AnswerWriter.permission.withByteView { connection.tcp.append($0) }
                connection.tcp.flush()
            }
        case .unverified(let signed, let target):
            connection.phase = .judging(target)
            if server.gatekeeper.verify(signed, for: connection.requestID) { return }
            let problem = AdminProblem.busy("too many tokens wait to be verified; try again")
            refuse(connection, with: .problem(problem))
        case .answer(let answer):
            _ = connections.trust(connection, if: false)
            refuse(connection, with: answer)
        }
    }

    /// Continues with a request whose signature was verified, if it is still there.
    func apply(_ signed: SignedHello, isValid: Bool, to request: PublishRequestID) {
        guard let connection = connections[request],
            case .judging(let target) = connection.phase
        else { return }
        connection.lastActivity = loop.now
        let admission = resources.finish(
            signed,
            isValid: isValid,
            head: connection.reader.head,
            target: target,
            judged: &connection.judged,
            revocation: { server.router.tokensRevokedBefore(device: $1, app: $0) },
            now: server.thisTick.clock.now().wall
        )
        setGroup(of: connection)
        apply(admission, to: connection)
        switch connection.phase {
        case .body, .discarding:
            // A request without a body ends with its head.
            if case .end = connection.reader.read(.empty).event { return finish(connection) }
            connection.tcp.resumeReading()
        default: break
        }
    }

    /// Refuses a request: after its body, if that is to be expected, or else at once.
    private func refuse(_ connection: PublishConnection, with answer: PublishAnswer) {
        let head = connection.reader.head
        let isLong = head.bodyCount ?? 0 > limits.discardedBytes
        if head.bodyCount != 0 && (isLong || head.expectsContinue) {
            connection.mustEnd = true
            return self.answer(connection, with: answer)
        }
        connection.phase = .discarding(answer)
    }

    private func tooLarge(_ connection: PublishConnection) -> AdminProblem {
        AdminProblem(
            413,
            code: "body-too-large",
            detail: "the body is longer than \(connection.bodyLimit) bytes"
        )
    }

    /// Lets a connection share the work with others of the credential that it has shown; before
    /// that, and without one, with those of its network.
    private func setGroup(of connection: PublishConnection) {
        connection.group =
            connection.judged.flatMap { WorkGroup(of: $0.entry) }
            ?? WorkGroup(of: connection.network)
    }

    // MARK: - The body

    /// Keeps or discards a piece of a body.
    private func keep(_ piece: ByteView, of connection: PublishConnection) {
        connection.bodyCount += piece.count
        switch connection.phase {
        case .body:
            if connection.bodyCount > connection.bodyLimit {
                return discard(connection, because: tooLarge(connection))
            }
            if !makeRoom(for: piece.count, of: connection) {
                let problem = AdminProblem.busy("too many bodies are on their way; try again")
                return discard(connection, because: problem)
            }
            connections.keepBody(piece.count, of: connection)
            connection.body.append(piece)
        case .discarding:
            let limit = max(PublishResources.bodyLimit, limits.discardedBytes)
            if connection.bodyCount > limit { close(connection) }
        default: assertionFailure("a body arrives that is not read")
        }
    }

    /// Makes sure that bytes of a body may be kept, if need be by closing connections that are
    /// sending others; false if that is not enough.
    private func makeRoom(for byteCount: Int, of connection: PublishConnection) -> Bool {
        while connections.bodyByteCount + byteCount > limits.allBodiesBytes {
            server.router.charge(connections.count * WorkCost.displacement)
            guard let oldest = connections.oldestReading(otherThan: connection) else {
                return false
            }
            close(oldest)
        }
        return true
    }

    private func discard(_ connection: PublishConnection, because problem: AdminProblem) {
        connections.releaseBody(of: connection)
        connection.body = BodyPieces()
        connection.phase = .discarding(.problem(problem))
    }

    /// Passes the pushes or the report of a request that has been read to the router, or answers
    /// it.
    private func finish(_ connection: PublishConnection) {
        switch connection.phase {
        case .discarding(let answer): self.answer(connection, with: answer)
        case .body(let target):
            connection.phase = .answering
            var body = BodyPieces()
            swap(&body, &connection.body)
            do throws(AdminProblem) {
                try pass(body, target: target, of: connection)
            } catch {
                answer(connection, with: PublishAnswer(error))
            }
        default: assertionFailure("a request ends that has not begun")
        }
    }

    private func pass(
        _ body: BodyPieces,
        target: PublishTarget,
        of connection: PublishConnection
    ) throws(AdminProblem) {
        let head = connection.reader.head
        let exchange = PublishExchange(connection, of: self)
        if let asked = target.report {
            let report = try resources.report(asked, target: target, body: body.joined)
            return server.report(report, for: exchange)
        }
        let now = server.thisTick.clock.now().wall
        let terms = try resources.pushTerms(head, target: target, now: now)
        if body.count <= limits.loopBodyBytes {
            return server.publish(try terms.request(body.joined), for: exchange)
        }
        if !readLater(body, terms: terms, of: connection) {
            throw .busy("too many long bodies wait to be read; try again")
        }
    }

    // MARK: - Answers

    /// Writes the answer to a connection's request, and continues with the next one.
    func answer(_ connection: PublishConnection, with answer: PublishAnswer) {
        if case .closed = connection.phase { return }
        let head = connection.reader.head
        let isLast = connection.mustEnd || !head.isPersistent || server.phase == .ended
        let tcp = connection.tcp
        resources.write(
            answer,
            to: head,
            route: connection.route,
            isLast: isLast,
            now: server.thisTick.clock.now().wall
        ) { tcp.append($0) }
        connections.releaseBody(of: connection)
        connection.dropBody()
        connection.lastActivity = loop.now
        if isLast { return end(connection) }
        connection.reader.next()
        connection.phase = .head
        tcp.readLimit = limits.headReadBytes
        tcp.flush()
        proceed(connection)
    }

    /// Reads on, unless the client has yet to read its answer.
    private func proceed(_ connection: PublishConnection) {
        let tcp = connection.tcp
        if tcp.outputByteCount > 0 {
            tcp.pauseUntilRead()
        } else if connection.hasHungUp && !connection.isWaiting && tcp.partialFrameCount == 0 {
            close(connection)
        } else if !connection.isWaiting {
            tcp.resumeReading()
        }
    }

    /// Ends a connection so that its client can read the last answer.
    private func end(_ connection: PublishConnection) {
        connection.phase = .ending
        connection.reader.close()
        connection.tcp.shutdownAfterFlush()
        if connection.hasHungUp && connection.tcp.outputByteCount == 0 { return close(connection) }
        connection.tcp.resumeReading()
    }

    /// Answers a request that does not arrive in time with 408.
    func timeOut(_ connection: PublishConnection) {
        connection.mustEnd = true
        if case .head = connection.phase { connection.route = Self.noRoute }
        let problem = AdminProblem(
            408,
            code: "request-timeout",
            detail: "the request has not arrived in time"
        )
        answer(connection, with: .problem(problem))
    }
}

/// A request that is with the router, and gets its answer once.
struct PublishExchange {
    private let listener: PublishListener
    private let request: PublishRequestID
    private let group: WorkGroup
    /// What has let it in.
    let judged: PublisherGate.Judged?

    init(_ connection: PublishConnection, of listener: PublishListener) {
        self.listener = listener
        request = connection.requestID
        group = connection.group
        judged = connection.judged
    }

    /// Who pays for the request: its connection or, once that is closed, the connection's group.
    var payer: CallbackPayer { listener.connections[request].map { .client($0) } ?? .group(group) }

    /// Answers the request, unless its client has gone.
    func answer(_ answer: PublishAnswer) {
        guard let connection = listener.connections[request], case .answering = connection.phase
        else { return }
        listener.answer(connection, with: answer)
    }
}
