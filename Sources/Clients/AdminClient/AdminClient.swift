package import ByteStorage
package import LibuvLoop

/// Asks a router's admin server, one question at a time.
///
///     ask ──► next turn ──► connect, to one address after the other ──► request
///                                                                          │
///     completion ◄── AnswerReader ◄──────────── bytes ◄────────────────────┘
///
/// Each question has a connection of its own. It belongs to the loop's thread, and must be closed
/// before the loop.
package final class AdminClient {
    /// What a client keeps to.
    package struct Limits: Sendable {
        /// Of an answer's body.
        package var bodyBytes = 8 << 20
        /// From the question to the whole answer.
        package var timeoutMilliseconds: UInt64 = 10_000

        package init() {}
    }

    /// A question, until it has been answered.
    private struct Request {
        let bytes: [UInt8]
        let completion: (Result<AdminReply, AdminClientError>) -> Void
        let reader: AnswerReader
        /// Those that have not been tried; nil before the host is looked up.
        var addresses: ArraySlice<SocketAddress>?
        /// Whether it was sent, so that no other address is tried.
        var isSent = false
    }

    private let loop: Loop
    private let host: String
    private let port: UInt16
    private let limits: Limits
    private var request: Request?
    private var connection: TCPConnection?
    /// Begins a question, and ends its time.
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - loop: which runs it.
    ///   - host: an address, or a name, which is looked up for each question.
    ///   - port: the admin server's.
    ///   - limits: what it keeps to.
    /// - Throws: `UVError` if the loop takes no timer.
    package init(
        _ loop: Loop,
        host: String,
        port: UInt16,
        limits: Limits = Limits()
    ) throws(UVError) {
        self.loop = loop
        self.host = host
        self.port = port
        self.limits = limits
        timer = try LoopTimer(loop, owner: self)
    }

    /// Asks; the question before must have been answered.
    ///
    /// - Parameters:
    ///   - question: what to ask.
    ///   - completion: is called once, in a later turn.
    package func ask(
        _ question: AdminQuestion,
        _ completion: @escaping (Result<AdminReply, AdminClientError>) -> Void
    ) {
        precondition(request == nil, "the question before has no answer yet")
        let name = host.contains(":") ? "[\(host)]" : host
        request = Request(
            bytes: question.request(to: "\(name):\(port)"),
            completion: completion,
            reader: AnswerReader(bodyLimit: limits.bodyBytes)
        )
        startTimer(0)
    }

    /// Ends the question with `closed`.
    ///
    /// Closing twice is no error.
    package func close() {
        timer?.close()
        timer = nil
        finish(.failure(.closed))
    }

    private func startTimer(_ milliseconds: UInt64) {
        do throws(UVError) {
            try timer?.start(afterMilliseconds: milliseconds)
        } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }

    // MARK: - Connecting

    private func begin() throws(UVError) {
        request?.addresses = try SocketAddress.resolve(host: host, port: port, loop: loop)[...]
        startTimer(limits.timeoutMilliseconds)
        try connect()
    }

    /// Connects to the first address that has not been tried.
    ///
    /// - Throws: what fails at once at the last of them.
    private func connect() throws(UVError) {
        while let address = request?.addresses?.popFirst() {
            do throws(UVError) {
                connection = try TCPConnection.connect(loop, to: address, owner: self)
                return
            } catch {
                if request?.addresses?.isEmpty ?? true { throw error }
            }
        }
    }

    private func finish(_ outcome: Result<AdminReply, AdminClientError>) {
        connection?.close()
        connection = nil
        timer?.stop()
        let ended = request
        request = nil
        ended?.completion(outcome)
    }

    private func fail(_ error: UVError) { finish(.failure(.unreachable("\(error)"))) }
}

extension AdminClient: TimerOwner, ConnectionOwner {
    package func timerFired(_ timer: LoopTimer) {
        if request?.addresses != nil { return finish(.failure(.timedOut)) }
        do throws(UVError) { try begin() } catch { fail(error) }
    }

    package func connectionOpened(_ connection: TCPConnection) {
        guard connection === self.connection, let request else { return }
        self.request?.isSent = true
        request.bytes.withByteView { connection.append($0) }
        connection.flush()
        do throws(UVError) { try connection.startReading() } catch { fail(error) }
    }

    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        if connection === self.connection { read(bytes) }
        return bytes.count
    }

    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        if connection !== self.connection { return connection.close() }
        guard let error else {
            // An answer of unknown length is whole now.
            read(.empty)
            return finish(.failure(.broken("the connection ended before the whole answer")))
        }
        connection.close()
        self.connection = nil
        guard let request, !request.isSent, request.addresses?.isEmpty == false else {
            return fail(error)
        }
        do throws(UVError) { try connect() } catch { fail(error) }
    }

    package func connectionDrained(_ connection: TCPConnection) {}

    package func connectionClosed(_ connection: TCPConnection) {}

    private func read(_ bytes: ByteView) {
        guard let reader = request?.reader else { return }
        do throws(AdminClientError) {
            try reader.read(bytes)
            if let answer = reader.answer { finish(.success(answer)) }
        } catch {
            finish(.failure(error))
        }
    }
}

@available(*, unavailable)
extension AdminClient: Sendable {}
