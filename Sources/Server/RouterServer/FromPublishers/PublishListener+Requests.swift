internal import AdminAPI
internal import Basics
internal import Credentials
internal import FrameCodec
internal import HTTPMessages
internal import HTTPServing
internal import LibuvLoop
internal import RouterCore

/// Requests: what they are let in for, and what is answered.
extension PublishListener: HTTPListenerOwner {
    /// Judges a request whose head has been read.
    func begin(_ connection: HTTPConnection) {
        core.router.charge(WorkCost.request)
        countRequest()
        let client = connection.client
        let (admission, route) = resources.admit(
            connection.reader.head,
            certificate: connection.certificate,
            judged: &client.judged,
            revocation: { core.router.tokensRevokedBefore(device: $1, app: $0) },
            now: core.now.wall
        )
        client.route = route
        setGroup(of: client)
        apply(admission, to: connection, of: client)
    }

    private func apply(
        _ admission: PublishResources.Admission,
        to connection: HTTPConnection,
        of client: PublishClient
    ) {
        switch admission {
        case .body(let target):
            // Devices may come in crowds, and must not displace publishers.
            http.trust(connection, if: target.role != .device)
            client.target = target
            // With little memory, all bodies together may have less than one otherwise.
            let bodyLimit = min(
                http.limits.allBodiesBytes,
                resources.bodyLimit(of: target, maxBody: core.limits.maxBody)
            )
            if http.keepBody(of: connection, limit: bodyLimit) { return }
            refuse(connection, with: .problem(tooLarge(connection)))
        case .unverified(let signed, let target):
            client.target = target
            http.judgeLater(connection)
            if publishing.gatekeeper.verify(signed, for: .request(connection.requestID)) { return }
            let problem = AdminProblem.busy("too many tokens wait to be verified; try again")
            refuse(connection, with: .problem(problem))
        case .answer(let answer):
            http.trust(connection, if: false)
            refuse(connection, with: answer)
        }
    }

    /// Continues with a request whose signature was verified, if it is still there.
    func apply(_ signed: SignedHello, isValid: Bool, to request: HTTPConnection.RequestID) {
        guard let connection = http.connection(of: request), connection.state == .judging,
            let target = connection.client.target
        else { return }
        let client = connection.client
        let admission = resources.finish(
            signed,
            isValid: isValid,
            head: connection.reader.head,
            target: target,
            judged: &client.judged,
            revocation: { core.router.tokensRevokedBefore(device: $1, app: $0) },
            now: core.now.wall
        )
        setGroup(of: client)
        apply(admission, to: connection, of: client)
        http.continueReading(connection)
    }

    /// Refuses a request: after its body, if that is to be expected, or else at once.
    private func refuse(_ connection: HTTPConnection, with answer: PublishAnswer) {
        if http.discardBody(of: connection) {
            connection.client.refusal = .answer(answer)
        } else {
            self.answer(connection, with: answer)
        }
    }

    private func tooLarge(_ connection: HTTPConnection) -> AdminProblem {
        AdminProblem(
            413,
            code: "body-too-large",
            detail: "the body is longer than \(connection.longestBody) bytes"
        )
    }

    /// Lets a connection share the work with others of the credential that it has shown; before
    /// that, and without one, with those of its network.
    private func setGroup(of client: PublishClient) {
        client.group =
            client.judged.flatMap { WorkGroup(of: $0.entry) } ?? WorkGroup(of: client.network)
    }

    /// Passes the pushes, the report or the question of a request that has been read to the router,
    /// or answers it.
    func finish(_ connection: HTTPConnection) {
        let client = connection.client
        if case .answer(let refusal) = client.refusal { return answer(connection, with: refusal) }
        do throws(AdminProblem) {
            switch connection.bodyRefusal {
            case .tooLarge: throw tooLarge(connection)
            case .noRoom: throw .busy("too many bodies are on their way; try again")
            case nil: try pass(connection.takeBody(), of: connection, for: client)
            }
        } catch {
            answer(connection, with: PublishAnswer(error))
        }
    }

    private func pass(
        _ body: BodyPieces,
        of connection: HTTPConnection,
        for client: PublishClient
    ) throws(AdminProblem) {
        guard let target = client.target else {
            return assertionFailure("a request ends that has not begun")
        }
        let head = connection.reader.head
        let exchange = PublishExchange(connection, of: self)
        if let lookup = target.lookup {
            let lookup = try resources.lookup(lookup, head: head, target: target)
            return publishing.lookUp(lookup, for: exchange)
        }
        if let asked = target.report {
            let report = try resources.report(asked, target: target, body: body.joined)
            return publishing.report(report, for: exchange)
        }
        let terms = try resources.pushTerms(head, target: target, now: core.now.wall)
        if body.count <= PublishLimits.loopBodyBytes {
            return publishing.publish(try terms.request(body.joined), for: exchange)
        }
        if !readLater(body, terms: terms, of: connection) {
            throw .busy("too many long bodies wait to be read; try again")
        }
    }

    // MARK: - Answers

    /// Writes the answer to a connection's request, and continues with the next one.
    func answer(_ connection: HTTPConnection, with answer: PublishAnswer) {
        if connection.state == .closed { return }
        let client = connection.client
        let tcp = connection.tcp
        resources.write(
            answer,
            to: connection.reader.head,
            route: client.route,
            isLast: http.endsAfterAnswer(connection, if: core.phase == .ended),
            now: core.now.wall
        ) { tcp.append($0) }
        client.target = nil
        client.refusal = nil
        http.complete(connection)
    }

    /// Answers what is no request, or not all of one in time.
    func refuse(_ connection: HTTPConnection, because failure: RequestFailure) {
        if failure != .late || connection.state == .head {
            connection.client.route = PublishResources.noRoute
        }
        answer(connection, with: PublishAnswer(failure))
    }

    // MARK: - What the listener reports

    /// Drops a body that is still to be read, and charges the end of its connection.
    func willClose(_ connection: HTTPConnection) {
        if connection.client.awaitsReading {
            bodyReader.remove { $0.request.number == connection.number }
        }
        core.router.charge(WorkCost.close)
    }

    /// Charges a search among all connections, and counts one that makes room for another.
    func hasSearched(_ count: Int, for displaced: HTTPConnection?) {
        core.router.charge(count * WorkCost.displacement)
        if displaced != nil { resources.displaced(1) }
    }
}
