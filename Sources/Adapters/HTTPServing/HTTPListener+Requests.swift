package import Basics
internal import Cryptography
internal import HTTPMessages
package import LibuvLoop

/// Requests: what arrives, and what follows their answers.
extension HTTPListener {
    /// The connection of which bytes have arrived; nil if they are to be discarded.
    package func reads(_ tcp: TCPConnection) -> HTTPConnection? {
        guard let connection = connections[tcp.slot] else { return nil }
        // What comes after the last answer is discarded, and keeps nothing open.
        if connection.phase != .ending { connection.lastActivity = loop.now }
        // TLS answers some messages by itself. A client that does not read that is not read either.
        if tcp.outputByteCount <= limits.unreadBytes { return connection }
        close(connection)
        return nil
    }

    /// Reads requests, until one has to wait. Returns the number of bytes that were used.
    package func read(_ bytes: ByteView, on connection: HTTPConnection) -> Int {
        let tcp = connection.tcp
        var offset = 0
        let last = connection.serial &+ limits.requestsPerRead
        var pieceCount = 0
        while true {
            let hasMore = offset < bytes.count
            switch connection.phase {
            case .closed, .ending: return bytes.count
            case .handshake, .judging, .waiting, .answering, .streaming:
                if hasMore { tcp.pauseReading() }
                return offset
            case .head where hasMore && tcp.outputByteCount > 0:
                tcp.pauseUntilRead()
                return offset
            case .head where hasMore && connection.serial == last,
                .body where hasMore && pieceCount >= limits.piecesPerRead,
                .discarding where hasMore && pieceCount >= limits.piecesPerRead:
                // Others come first.
                deferInput(of: connection)
                return offset
            case .head, .body, .discarding: break
            }
            let (used, event) = connection.reader.read(bytes.slice(offset, to: bytes.count))
            offset += used
            switch event {
            case .incomplete:
                keepHead(of: connection, hasPart: offset < bytes.count)
                return offset
            case .head: begin(connection)
            case .piece(let piece):
                pieceCount += 1
                keep(piece, of: connection)
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

    private func begin(_ connection: HTTPConnection) {
        connection.serial &+= 1
        connection.headBegin = nil
        connection.mustEnd = false
        connection.refusal = nil
        connection.bodyLimit = 0
        let head = connection.reader.head
        // The owner may erase the head.
        connection.expectsContinue = head.bodyCount != 0 && head.expectsContinue
        unsafe owner?.begin(connection)
    }

    private func finish(_ connection: HTTPConnection) {
        connection.phase = .waiting
        unsafe owner?.finish(connection)
    }

    // MARK: - What the owner decides about a head

    /// Records whether the present request of a connection is one that the owner trusts: such a
    /// connection is never closed to give its slot to another one that is not.
    package func trust(_ connection: HTTPConnection, if isTrusted: Bool) {
        displace(connections.trust(connection, if: isTrusted))
    }

    /// Reads nothing until `continueReading`.
    package func judgeLater(_ connection: HTTPConnection) { connection.phase = .judging }

    /// Reads on after `judgeLater`, if a body is to be read.
    package func continueReading(_ connection: HTTPConnection) {
        switch connection.phase {
        case .body, .discarding:
            // A request without a body ends with its head.
            if case .end = connection.reader.read(.empty).event { return finish(connection) }
            connection.tcp.resumeReading()
        default: break
        }
    }

    /// Keeps the body of the present request, if it has at most `limit` bytes. Returns false if it
    /// is announced to be longer; then `discardBody` follows.
    package func keepBody(of connection: HTTPConnection, limit: Int) -> Bool {
        connection.bodyLimit = limit
        if connection.reader.head.bodyCount ?? 0 > limit {
            connection.refusal = .tooLarge
            return false
        }
        connection.phase = .body
        connection.tcp.readLimit = limits.bodyReadBytes
        if connection.expectsContinue {
            AnswerWriter.permission.withByteView { connection.tcp.append($0) }
            connection.tcp.flush()
        }
        return true
    }

    /// Discards the body of the present request, so that a client which sends all of it before it
    /// listens gets its answer. Returns false if the request is to be answered at once: its body is
    /// too long for that, or its client waits for permission to send it.
    package func discardBody(of connection: HTTPConnection) -> Bool {
        let bodyCount = connection.reader.head.bodyCount
        let isLong = bodyCount ?? 0 > max(connection.bodyLimit, limits.discardedBytes)
        if isLong || connection.expectsContinue {
            connection.mustEnd = true
            return false
        }
        connection.phase = .discarding
        return true
    }

    // MARK: - The body

    /// Keeps or discards a piece of a body.
    private func keep(_ piece: ByteView, of connection: HTTPConnection) {
        connection.bodyCount += piece.count
        switch connection.phase {
        case .body:
            if connection.bodyCount > connection.bodyLimit {
                discard(connection, because: .tooLarge)
            } else if !makeRoom(for: piece.count, of: connection) {
                discard(connection, because: .noRoom)
            } else {
                connections.keepBody(piece.count, of: connection)
                connection.pieces.append(piece)
            }
        case .discarding:
            let most = max(connection.bodyLimit, limits.discardedBytes)
            if connection.bodyCount > most { close(connection) }
        default: assertionFailure("a body arrives that is not read")
        }
    }

    private func discard(
        _ connection: HTTPConnection,
        because refusal: HTTPConnection.BodyRefusal
    ) {
        connections.releaseBody(of: connection)
        connection.pieces.erase()
        connection.refusal = refusal
        connection.phase = .discarding
    }

    /// Makes sure that bytes of a body may be kept, if need be by closing connections that are
    /// sending others; false if that is not enough.
    private func makeRoom(for byteCount: Int, of connection: HTTPConnection) -> Bool {
        while connections.bodyByteCount + byteCount > limits.allBodiesBytes {
            unsafe owner?.hasSearched(connections.count, for: nil)
            guard let oldest = connections.bodyToDisplace(for: connection) else { return false }
            close(oldest)
        }
        return true
    }

    // MARK: - Answers

    /// Whether the connection ends after the present answer: its client wants that, it must, or
    /// `isLast` says so.
    package func endsAfterAnswer(_ connection: HTTPConnection, if isLast: Bool = false) -> Bool {
        if isLast || isEnding || !connection.reader.head.isPersistent {
            connection.mustEnd = true
        }
        return connection.mustEnd
    }

    /// Continues with the next request on a connection whose answer was written, or ends it.
    package func complete(_ connection: HTTPConnection) {
        if case .closed = connection.phase { return }
        connections.releaseBody(of: connection)
        connection.dropBody()
        connection.lastActivity = loop.now
        // Nothing more is reported of a client that has ended its side.
        if connection.mustEnd || isEnding || connection.hasHungUp { return end(connection) }
        connection.reader.next()
        connection.phase = .head
        let tcp = connection.tcp
        tcp.readLimit = limits.connectionMemory
        tcp.flush()
        if tcp.outputByteCount > 0 {
            tcp.pauseUntilRead()
        } else {
            tcp.resumeReading()
        }
    }
}

extension TCPConnection {
    /// Pauses reading until the client has read its answer.
    func pauseUntilRead() {
        pauseReading()
        reportDrained(at: 0)
    }

    /// Closes the connection at once; what the kernel does not accept of its output is dropped.
    /// With TLS, the client learns that this is the end (RFC 9112, section 9.8).
    func closeAtOnce() {
        switch security?.phase {
        case .established, .endedByPeer: shutdownAfterFlush()
        case .handshake, .failed, nil: break
        }
        close()
    }
}
