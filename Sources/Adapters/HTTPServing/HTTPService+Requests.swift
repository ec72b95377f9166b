internal import Basics
internal import HTTPMessages
internal import LibuvLoop

/// Requests: what arrives, and what is answered.
extension HTTPService {
    /// Reads requests, until one has to wait for its answer.
    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        guard let connection = connections[tcp.slot] else { return bytes.count }
        // TLS answers some messages by itself. A client that does not read that is not read either.
        if tcp.outputByteCount > limits.unreadBytes {
            close(connection)
            return bytes.count
        }
        var offset = 0
        var requestCount = 0
        while true {
            switch connection.phase {
            case .closed, .ending: return bytes.count
            case .handshake, .waiting, .answering, .streaming:
                tcp.pauseReading()
                return offset
            case .head where tcp.outputByteCount > 0:
                tcp.pauseUntilRead()
                return offset
            case .head where requestCount == limits.requestsPerRead && offset < bytes.count:
                // Others come first.
                tcp.pauseReading()
                deferred.append(connection)
                return offset
            case .head, .body: break
            }
            connection.lastActivity = loop.now
            let (used, event) = connection.reader.read(bytes.slice(offset, to: bytes.count))
            offset += used
            switch event {
            case .incomplete:
                keepHead(of: connection, hasPart: offset < bytes.count)
                return offset
            case .head:
                requestCount += 1
                begin(connection)
            case .piece(let piece): keep(piece, of: connection)
            case .end: finish(connection)
            case .failed(let failure): refuse(connection, because: failure)
            }
        }
    }

    /// Remembers since when an incomplete head has been arriving.
    private func keepHead(of connection: HTTPConnection, hasPart: Bool) {
        connection.tcp.keepsPartialFrame = hasPart
        guard case .head = connection.phase else { return }
        connection.headBegin = hasPart ? connection.headBegin ?? loop.now : nil
    }

    // MARK: - The head and the body

    /// Decides about a request whose head has been read.
    private func begin(_ connection: HTTPConnection) {
        connection.headBegin = nil
        connection.mustEnd = false
        let head = connection.reader.head
        if !head.hasValidHost { return refuse(connection, because: .host) }
        var request = HTTPRequest(head)
        request.certificate = connection.certificate
        request.client = connection.client
        let bodyLimit = handler.bodyLimit(of: request)
        let incoming = IncomingRequest(
            request,
            announcedCount: head.bodyCount,
            expectsContinue: head.expectsContinue,
            bodyLimit: bodyLimit
        )
        // The request has copies of what may be a token.
        head.eraseText()
        displace(connections.trust(connection, if: handler.trusts(request)))
        switch incoming.judge(discardLimit: limits.discardedBytes) {
        case .read:
            connection.phase = .body(incoming)
            connection.tcp.readLimit = limits.bodyReadBytes
            if !incoming.expectsContinue { return }
            AnswerWriter.permission.withByteView { connection.tcp.append($0) }
            connection.tcp.flush()
        case .answerAtOnce:
            connection.mustEnd = head.bodyCount != 0
            ask(incoming, of: connection, mayWait: false)
        }
    }

    /// Refuses what is not read as a request, and ends the connection.
    private func refuse(_ connection: HTTPConnection, because failure: RequestFailure) {
        if case .body(let incoming) = connection.phase { incoming.erase() }
        connection.mustEnd = true
        send(handler.response(to: failure), on: connection)
    }

    /// Keeps or discards a piece of a body.
    private func keep(_ piece: ByteView, of connection: HTTPConnection) {
        guard case .body(let incoming) = connection.phase else {
            return assertionFailure("a body arrives that is not read")
        }
        switch incoming.received(piece.count, discardLimit: limits.discardedBytes) {
        case .close: close(connection)
        case .discard: connections.releaseBody(of: connection)
        case .keep:
            if makeRoom(for: piece.count, of: connection) {
                connections.keepBody(piece.count, of: connection)
                unsafe incoming.keep(
                    UnsafeRawBufferPointer(start: piece.address, count: piece.count)
                )
            } else {
                incoming.refuse(.noRoom)
                connections.releaseBody(of: connection)
            }
        }
    }

    /// Makes sure that bytes of a body may be kept, if need be by closing connections that are
    /// sending others, the oldest untrusted one first; only for a trusted one are trusted ones
    /// closed. False if that is not enough.
    private func makeRoom(for byteCount: Int, of connection: HTTPConnection) -> Bool {
        while connections.bodyByteCount + byteCount > limits.allBodiesBytes {
            let untrusted = connections.oldestReading(otherThan: connection, isTrusted: false)
            let trusted =
                connection.isTrusted
                ? connections.oldestReading(otherThan: connection, isTrusted: true) : nil
            guard let oldest = untrusted ?? trusted else { return false }
            close(oldest)
        }
        return true
    }

    /// Passes a request that has been read to the handler.
    private func finish(_ connection: HTTPConnection) {
        guard case .body(let incoming) = connection.phase else {
            return assertionFailure("a request ends that has not begun")
        }
        ask(incoming, of: connection, mayWait: true)
    }

    /// Passes a request to the handler, and sends what there is of its answer. If `mayWait` is
    /// false, a request that is not answered at once is answered with 500.
    private func ask(_ incoming: IncomingRequest, of connection: HTTPConnection, mayWait: Bool) {
        let exchange = HTTPExchange(
            on: connection.id,
            mailbox: mailbox,
            unsentLimit: limits.unsentEventBytes
        )
        connection.phase = .waiting(exchange)
        var request = incoming.take()
        handler.respond(to: request, with: HTTPResponder(exchange))
        request.eraseBody()
        if !mayWait { _ = exchange.answer { HTTPExchange.unanswered } }
        proceed(connection, with: exchange)
    }

    // MARK: - Answers

    /// Sends what there is of an answer.
    func proceed(_ connection: HTTPConnection, with exchange: HTTPExchange) {
        while true {
            switch exchange.step(limits.partBytes) {
            case .wait: return
            case .close: return close(connection)
            case .answer(let make): return send(make(), on: connection)
            case .events(let bytes, let areLast):
                if case .waiting = connection.phase { beginEvents(exchange, on: connection) }
                guard case .streaming = connection.phase else { return }
                append(bytes, isLast: areLast, to: connection)
                if areLast {
                    exchange.complete()
                    return complete(connection)
                }
                connection.tcp.flush()
                if bytes.isEmpty { return }
                if connection.tcp.outputByteCount > 0 { return connection.tcp.reportDrained(at: 0) }
            }
        }
    }

    /// Whether the connection ends after the present answer.
    private func isLast(_ connection: HTTPConnection) -> Bool {
        connection.mustEnd || !connection.reader.head.isPersistent || isStopping
    }

    /// Writes the head of an answer, and as much of its body as the client reads.
    private func send(_ response: HTTPResponse, on connection: HTTPConnection) {
        let head = connection.reader.head
        if isLast(connection) { connection.mustEnd = true }
        writer.begin(response.status, date: today(), to: head, isLast: connection.mustEnd)
        add(response.headers)
        writer.endHead(bodyCount: response.body.count) { connection.tcp.append($0) }
        if writer.hasBody { connection.keep(response.body) }
        connection.phase = .answering
        connections.releaseBody(of: connection)
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
        let tcp = connection.tcp
        while true {
            let part = connection.takeRest(limits.partBytes)
            if !part.isEmpty { Array(part).withByteView { tcp.append($0) } }
            if part.count < limits.partBytes { return complete(connection) }
            tcp.flush()
            if tcp.outputByteCount > 0 { return tcp.reportDrained(at: 0) }
        }
    }

    /// Writes the head of a stream of events.
    private func beginEvents(_ exchange: HTTPExchange, on connection: HTTPConnection) {
        let head = connection.reader.head
        // Without chunks, the end of the connection is the end of the stream.
        if isLast(connection) || head.isOld { connection.mustEnd = true }
        writer.begin(200, date: today(), to: head, isLast: connection.mustEnd)
        writer.header("Content-Type", value: "text/event-stream")
        writer.header("Cache-Control", value: "no-store")
        writer.endHead(isChunked: !head.isOld) { connection.tcp.append($0) }
        connections.releaseBody(of: connection)
        connection.phase = .streaming(exchange)
        if writer.hasBody { return }
        exchange.complete()
        complete(connection)
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

    /// Continues with the next request on a connection, or ends it.
    private func complete(_ connection: HTTPConnection) {
        if case .closed = connection.phase { return }
        connection.lastActivity = loop.now
        if connection.mustEnd || isStopping { return end(connection) }
        let tcp = connection.tcp
        connection.reader.next()
        connection.phase = .head
        connection.isKept = true
        tcp.readLimit = limits.connectionMemory
        tcp.flush()
        if tcp.outputByteCount > 0 { tcp.pauseUntilRead() } else { tcp.resumeReading() }
    }
}
