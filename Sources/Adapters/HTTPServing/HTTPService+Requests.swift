internal import Basics
internal import HTTPMessages
internal import LibuvLoop

/// Requests: what the handler gets, and what is answered.
extension HTTPService: HTTPListenerOwner {
    func begin(_ connection: HTTPConnection) {
        let head = connection.reader.head
        if !head.hasValidHost { return http.refuse(connection, because: .host) }
        var request = HTTPRequest(head)
        request.certificate = connection.certificate
        request.client = connection.client
        let bodyLimit = handler.bodyLimit(of: request)
        // The request has copies of what may be a token.
        head.eraseText()
        http.trust(connection, if: handler.trusts(request))
        connection.served.request = request
        guard let bodyLimit else {
            connection.mustEnd = head.bodyCount != 0
            return ask(connection, mayWait: request.isRead)
        }
        if http.keepBody(of: connection, limit: bodyLimit) { return }
        if !http.discardBody(of: connection) { ask(connection, mayWait: false) }
    }

    func refuse(_ connection: HTTPConnection, because failure: RequestFailure) {
        if failure == .late { return http.close(connection) }
        connection.served.request = nil
        send(handler.response(to: failure), on: connection)
    }

    func finish(_ connection: HTTPConnection) { ask(connection, mayWait: true) }

    /// Passes a request to the handler, and sends what there is of its answer. If `mayWait` is
    /// false, a request that is not answered at once is answered with 500.
    private func ask(_ connection: HTTPConnection, mayWait: Bool) {
        let client = connection.served
        guard var request = client.request else {
            return assertionFailure("a request ends that has not begun")
        }
        client.request = nil
        connection.phase = .waiting
        let exchange = HTTPExchange(
            on: connection.requestID,
            mailbox: mailbox,
            unsentLimit: http.limits.unsentEventBytes
        )
        client.exchange = exchange
        request.body =
            switch connection.refusal {
            case .tooLarge: .tooLarge
            case .noRoom: .noRoom
            case nil: .whole(connection.pieces.take())
            }
        handler.respond(to: request, with: HTTPResponder(exchange))
        request.eraseBody()
        if !mayWait { _ = exchange.answer { HTTPExchange.unanswered } }
        proceed(connection, with: exchange)
    }

    // MARK: - Answers

    /// Sends what there is of an answer.
    func proceed(_ connection: HTTPConnection, with exchange: HTTPExchange) {
        while true {
            switch exchange.step(http.limits.partBytes) {
            case .wait: return connection.tcp.pauseReading()
            case .close: return http.close(connection)
            case .answer(let make): return send(make(), on: connection)
            case .events(let bytes, let areLast):
                if case .waiting = connection.phase { beginEvents(on: connection) }
                guard case .streaming = connection.phase else { return }
                append(bytes, isLast: areLast, to: connection)
                if areLast {
                    connection.served.drop()
                    return http.complete(connection)
                }
                connection.tcp.flush()
                if bytes.isEmpty { return }
                if connection.tcp.outputByteCount > 0 { return connection.tcp.reportDrained(at: 0) }
            }
        }
    }

    /// Writes the head of an answer, and as much of its body as the client reads.
    private func send(_ response: HTTPResponse, on connection: HTTPConnection) {
        let head = connection.reader.head
        let isLast = http.endsAfterAnswer(connection)
        writer.begin(response.status, date: today(), to: head, isLast: isLast)
        add(response.headers)
        writer.endHead(bodyCount: response.body.count) { connection.tcp.append($0) }
        let client = connection.served
        if writer.hasBody { client.keep(response.body) }
        client.exchange = nil
        connection.phase = .answering
        http.connections.releaseBody(of: connection)
        continueAnswer(of: connection)
    }

    private func add(_ headers: [(name: String, value: String)]) {
        for header in headers {
            let hasLineEnd = (header.name + header.value).utf8.contains { $0 == 0x0d || $0 == 0x0a }
            if !hasLineEnd { writer.header(named: header.name, text: header.value) }
        }
    }

    /// Writes more of an answer's body, until the client has to read, or it ends.
    func continueAnswer(of connection: HTTPConnection) {
        let most = http.limits.partBytes
        let (tcp, client) = (connection.tcp, connection.served)
        while true {
            let part = client.takeRest(most)
            if !part.isEmpty { Array(part).withByteView { tcp.append($0) } }
            if part.count < most { return http.complete(connection) }
            tcp.flush()
            if tcp.outputByteCount > 0 { return tcp.pauseUntilRead() }
        }
    }

    /// Writes the head of a stream of events.
    private func beginEvents(on connection: HTTPConnection) {
        let head = connection.reader.head
        connection.tcp.pauseReading()
        // Without chunks, the end of the connection is the end of the stream.
        let isLast = http.endsAfterAnswer(connection, if: head.isOld)
        writer.begin(200, date: today(), to: head, isLast: isLast)
        writer.header("Content-Type", value: "text/event-stream")
        writer.header("Cache-Control", value: "no-store")
        writer.endHead(isChunked: !head.isOld) { connection.tcp.append($0) }
        http.connections.releaseBody(of: connection)
        connection.phase = .streaming
        if writer.hasBody { return }
        connection.served.drop()
        http.complete(connection)
    }

    /// Appends bytes of a stream, and its end if they are the last ones.
    private func append(_ bytes: [UInt8], isLast: Bool, to connection: HTTPConnection) {
        let isChunked = !connection.reader.head.isOld
        var text: [UInt8] = []
        if isChunked && !bytes.isEmpty { text += "\(String(bytes.count, radix: 16))\r\n".utf8 }
        text += bytes
        if isChunked && !bytes.isEmpty { text += "\r\n".utf8 }
        if isChunked && isLast { text += "0\r\n\r\n".utf8 }
        if !text.isEmpty { text.withByteView { connection.tcp.append($0) } }
    }
}
